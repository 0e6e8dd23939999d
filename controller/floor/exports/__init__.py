"""What leaves the floor as CSV: rounds, spins, alerts and sums of hours."""
