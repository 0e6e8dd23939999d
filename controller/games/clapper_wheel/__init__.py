"""Games on a wheel with pegs and a clapper: round, screen, bench and figure that they share."""
