"""Whether a wheel is fair: the evidence against it (docs/floor.md)."""
