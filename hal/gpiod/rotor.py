"""A roulette wheel's sensor head on GPIO lines. Backend ``gpiod``; the same as for a wheel with a clapper."""

from hal.gpiod.edges import open_device

__all__ = ["open_device"]
