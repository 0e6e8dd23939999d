"""The view of a roulette table."""

from controller.bench.views.plain import VIEW

__all__ = ["VIEW"]
