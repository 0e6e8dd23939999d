"""What somebody who helps from afar needs to know of a table, in one file and without secrets."""
