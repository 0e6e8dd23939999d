"""The limits on a table's sign (§§ 521.7-521.8): amounts, notices, the sign, and the other state of a table."""
