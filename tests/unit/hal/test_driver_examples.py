"""The example of each driver is valid as it is written."""

import importlib
import re
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
import yaml

from config.problems import ConfigError
from controller.configuration.shipped import load_table, shipped_tables
from hal.registry import OWN

REAL = {
    "head": {"backend": "gpiod"},
    "rotor": {"backend": "gpiod"},
    "reader": {"backend": "serial", "options": {"port": "/dev/ttyS0"}},
    "panel": {"backend": "modbus", "options": {"port": "/dev/ttyS1", "units": [{"unit": 1, "outputs": 50}]}},
}


def example(backend: str) -> tuple[str, dict[str, Any]]:
    """A backend's documentation, and the sections of its example."""
    text = importlib.import_module(f"hal.{backend}").__doc__ or ""
    block = re.search(r"\.\. code-block:: yaml\n\n((?: {4}.*\n|\n)+)", text)
    assert block is not None
    return text, yaml.load(dedent(block[1]), yaml.BaseLoader)


@pytest.mark.parametrize("backend", sorted({*OWN} - {"mock"}))
def test_check_finds_nothing_wrong_with_an_example(tmp_path: Path, backend: str) -> None:
    text, sections = example(backend)
    assert "https://" in text, "where the device or library is described"
    game = "roulette" if "reader" in sections else "dreamcatcher"
    data = yaml.load(shipped_tables()[game].read_text(encoding="utf-8"), yaml.BaseLoader)
    devices = data["devices"]
    for name, section in devices.items():  # All of them are real: a simulated one beside them is a mistake.
        section.update(REAL.get(name, {"backend": "gpiozero"}))
    if "keyboard" in sections:
        del devices["keypad"]
    devices.update(sections)
    file = tmp_path / "table.yaml"
    file.write_text(yaml.safe_dump(data), encoding="utf-8")
    try:
        load_table(file)
    except ConfigError as error:
        about = [str(one) for one in error.problems if any(f"devices.{name}" in str(one) for name in sections)]
        assert not about
