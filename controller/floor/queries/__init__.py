"""What the floor's pages and exports ask of the store."""
