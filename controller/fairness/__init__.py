"""Whether a wheel is fair: the evidence against it, a picture of where it stopped, a chi-square beside it."""
