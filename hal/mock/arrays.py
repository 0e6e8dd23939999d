"""The arrays of the simulator: letters of edges, their times in nanoseconds, and quantities."""

import numpy as np
from numpy.typing import NDArray

Bytes = NDArray[np.uint8]
Times = NDArray[np.int64]
Floats = NDArray[np.float64]
