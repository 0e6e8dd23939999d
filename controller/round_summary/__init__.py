"""What a round's entries say of it: results, spins, voids, times, alerts. Publisher and floor use the same code."""
