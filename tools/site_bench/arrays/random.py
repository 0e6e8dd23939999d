"""``numpy.random``."""

from .draws import Generator as Generator
from .draws import default_rng as default_rng
