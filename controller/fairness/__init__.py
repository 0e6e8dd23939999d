"""Whether a wheel is fair: the evidence against it, a plot of where it stopped, and a chi-square test."""
