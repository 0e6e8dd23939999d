"""The Python programs of the card's image, which are no package: systemd/image/root/usr/lib/table-image."""

import importlib.util
import sys
from types import ModuleType

from project import ROOT

PROGRAMS = ROOT / "systemd/image/root/usr/lib/table-image"


def program(name: str) -> ModuleType:
    """One of them, by its name, which is also that by which another one imports it: load that one first."""
    spec = importlib.util.spec_from_file_location(name, PROGRAMS / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module
