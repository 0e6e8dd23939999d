"""Games with three dice that the dealer keys in: round, inspection, screen and bench that they share."""
