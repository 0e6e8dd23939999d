"""``numpy.typing``, by another name here: that one would hide Python's module from those beside it."""

from .ndarray import ndarray as NDArray  # noqa: N812 - as NumPy calls it.

__all__ = ["NDArray"]
