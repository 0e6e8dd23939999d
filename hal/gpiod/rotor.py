"""A roulette wheel's sensor head on GPIO lines. Backend ``gpiod``; the same as for a wheel with a clapper."""

from hal.gpiod.edges import Settings, open_device

__all__ = ["Settings", "open_device"]
