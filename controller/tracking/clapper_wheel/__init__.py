"""The sensor head of a wheel with a clapper."""
