"""The floor's pages, and the server that shows them."""
