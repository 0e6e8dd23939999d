"""Whether a wheel is fair: the evidence against it, and a chi-square test for comparison (docs/floor.md)."""
