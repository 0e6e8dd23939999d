"""Limits, odds and rules of a table (§§ 521.7-521.8): terms, proposals, notices, and the other state of a table."""
