"""What leaves the floor as files: rounds, spins, alerts and sums of hours, as CSV, JSON and Parquet."""
