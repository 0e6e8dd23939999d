"""``numpy.typing``."""

from .array import ndarray as NDArray  # noqa: N812 - as NumPy calls it.

__all__ = ["NDArray"]
