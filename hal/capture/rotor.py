"""The recorded sensor head of a roulette wheel. Backend ``capture``; the same as for a wheel with a clapper."""

from hal.capture.edges import open_device

__all__ = ["open_device"]
