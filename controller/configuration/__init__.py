"""From a table's file to its configuration: the shipped tables, and what games and hardware demand."""
