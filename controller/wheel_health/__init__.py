"""A wheel's state from the edges of its spins: what drifts, said before it can void a spin."""
