"""Backends of other distributions, found under their entry point, and libraries that are not installed."""

import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from hal import registry
from hal.errors import HalError, LibraryMissingError, UnknownBackendError
from hal.gpiozero.pins import pin_factory
from hal.mock.clock import VirtualClock

MODULE = """
from pydantic import BaseModel
from hal.registry import Driver

class Settings(BaseModel):
    outputs: int

def misfits(wiring, settings):
    return [(("lamps",), "too many lamps", "use fewer")] if len(wiring.lamps) > settings.outputs else []

DRIVERS = {"panel": Driver(Settings, lambda wiring, settings, clock: ("opened", settings.outputs), misfits)}
"""


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    name = f"acme_{abs(hash(request.node.name))}"
    (tmp_path / f"{name}.py").write_text(getattr(request, "param", MODULE), encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(registry, "offered", lambda group: {"acme": (name,)})


def opened(kind: str, backend: str, lamps: int = 2) -> object:
    wiring = SimpleNamespace(lamps=dict.fromkeys(range(lamps)))
    return registry.open_device(kind, backend, wiring, {"outputs": "2"}, VirtualClock())  # type: ignore[arg-type]


@pytest.mark.usefixtures("package")
def test_it_is_found_checked_and_opened() -> None:
    assert "acme" in registry.backends("panel")
    assert "acme" not in registry.backends("keys")
    assert opened("panel", "acme") == ("opened", 2)
    with pytest.raises(HalError, match="panel, lamps: too many lamps; use fewer"):
        opened("panel", "acme", lamps=3)
    with pytest.raises(UnknownBackendError, match="the backend 'acme' drives no keys; it drives: panel"):
        opened("keys", "acme")
    with pytest.raises(UnknownBackendError, match="unknown backend 'acne' for panel; did you mean acme"):
        opened("panel", "acne")


@pytest.mark.usefixtures("package")
@pytest.mark.parametrize(
    ("package", "words"),
    [("1 / 0", "cannot be loaded .ZeroDivisionError.*install its distribution anew"), ("", "has no DRIVERS; add")],
    indirect=["package"],
)
def test_one_that_is_wrong_is_named_and_stops_no_other(words: str) -> None:
    assert "mock" in registry.backends("panel")
    with pytest.raises(UnknownBackendError, match=words):
        opened("panel", "acme")


def test_two_that_offer_the_same_name_are_both_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "offered", lambda group: {"modbus": ("acme",)})
    with pytest.raises(UnknownBackendError, match="both offer the backend 'modbus'; uninstall acme"):
        registry.find_driver("panel", "modbus")


@pytest.mark.parametrize(
    ("kind", "backend", "options", "library"),
    [
        ("keys", "evdev", {"device": "/dev/input/event0"}, "evdev"),
        ("panel", "hc595", {"registers": "1"}, "spidev"),
        ("panel", "modbus", {"port": "/dev/ttyS0", "units": [{"unit": "1", "outputs": "8"}]}, "pymodbus"),
        ("edges", "gpiod", {}, "gpiod"),
        ("panel", "gpiozero", {"pin_factory": "gpiod"}, "gpiod"),
        ("panel", "gpiozero", {"pin_factory": "rpigpio"}, "RPi"),
    ],
)
def test_a_library_that_is_not_installed_is_named_with_what_installs_it(
    monkeypatch: pytest.MonkeyPatch, kind: str, backend: str, options: dict[str, object], library: str
) -> None:
    pin_factory.cache_clear()
    for module in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.setitem(sys.modules, module, None)
    for module in ("hal.gpiod.edges", "hal.gpiozero.gpiod_factory", "gpiozero.pins.rpigpio"):
        monkeypatch.delitem(sys.modules, module, raising=False)
    monkeypatch.setitem(sys.modules, library, None)
    wiring = SimpleNamespace(lamps={"1": 2}, codes={"1": "KEY_1"}, pins=())
    with pytest.raises(LibraryMissingError) as failure:
        registry.open_device(kind, backend, wiring, options, VirtualClock())  # type: ignore[arg-type]
    assert str(failure.value) == f"backend '{backend}' needs {library}: pip install 'table-controller[pi]'"
