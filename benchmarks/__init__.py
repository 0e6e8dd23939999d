"""What the table costs, as ratios in one run, and how it stands up to faulty sensors: ``python -m benchmarks``."""
