"""Two parties hold a record: the table signs what it sends, the floor signs what it has, and an audit compares."""
