"""A backend of another distribution: found under its entry point, opened, and refused by name if it is wrong."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from hal import registry
from hal.errors import HalError, UnknownBackendError
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
    with pytest.raises(
        UnknownBackendError, match="the backend 'acme' drives no buttons, keypad or keyboard; it drives: panel"
    ):
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
