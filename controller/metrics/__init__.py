"""What table, publisher and floor say of themselves to Prometheus: declarations, counts, and their text format."""
