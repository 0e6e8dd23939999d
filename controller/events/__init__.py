"""What happens at a table and what is decided on it, as the record keeps both, and their text for people."""
