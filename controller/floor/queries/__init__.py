"""The queries of the floor's pages and exports to the store."""
