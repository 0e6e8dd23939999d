"""What the pages of a table and those of the floor have in common."""
