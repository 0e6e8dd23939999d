"""A roulette wheel's sensor head: rotor and ball."""
