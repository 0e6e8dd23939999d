"""The page at the display of the table's own computer: which one, and what keeps it there."""
