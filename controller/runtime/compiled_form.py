"""Which form of the tracking Python loads: the compiled one, or the plain one. Every command asks for it."""

from importlib.util import find_spec

SUFFIX = ".so"


def compiled() -> bool:
    """Whether the tracking that Python would load is compiled. For `--version`; nothing decides by it."""
    spec = find_spec("controller.tracking.motion")
    return spec is not None and (spec.origin or "").endswith(SUFFIX)
