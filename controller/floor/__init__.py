"""The floor: what many tables published, kept once, checked, and shown."""
