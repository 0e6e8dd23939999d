"""Performance, as ratios within one run, and behaviour with faulty sensors: ``python -m benchmarks``."""
