"""Whether a wheel is fair: the evidence against it (docs/fairness.md)."""
