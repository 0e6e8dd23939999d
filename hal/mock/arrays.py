"""The arrays of the simulator: letters of edges, their times in nanoseconds, and quantities."""

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Times = NDArray[np.int64]
Floats = NDArray[np.float64]
Sensed = tuple[Bytes, Floats]
"""Edges of one sensor: letters, and a quantity of each, such as its time in nanoseconds."""
NO_EDGES: Sensed = np.empty(0, np.uint8), np.empty(0)
