"""The installer of the floor, with mock commands for what would change this machine (``bare_machine``)."""

from pathlib import Path

import pytest
from bare_machine import Bare, light_checkout
from project import ROOT

FLOOR = "table-controller-floor"


@pytest.fixture
def machine(tmp_path: Path) -> Bare:
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    return Bare(tmp_path, light_checkout(checkout))


def floor_file(machine: Bare, text: str = "floor: main-floor\n") -> Path:
    file = machine.root / "etc" / FLOOR / "floor.yaml"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text)
    return file


def test_the_floor_is_installed_where_its_unit_starts_it(machine: Bare) -> None:
    floor_file(machine)
    done = machine.run("floor")
    assert done.returncode == 0, done.stderr
    assert (machine.root / f"etc/systemd/system/{FLOOR}.service").read_bytes() == (
        ROOT / f"systemd/{FLOOR}.service"
    ).read_bytes()
    assert (machine.root / f"etc/sysusers.d/{FLOOR}.conf").read_bytes() == (
        ROOT / "systemd/sysusers-floor.conf"
    ).read_bytes()
    assert (machine.root / "opt" / FLOOR).is_dir()
    names = {line.partition("==")[0] for line in machine.locked()}
    assert {"setuptools", "pydantic", "sqlalchemy", "psycopg-binary", "aiomqtt"} < names
    assert not {"pytest", "gpiod", "spidev"} & names
    assert f"systemctl enable --quiet {FLOOR}" in machine.calls()
    assert machine.started() == ["1"]
    assert not (machine.root / "opt/table-controller").exists()


def test_without_its_file_or_with_a_wrong_one_no_floor_is_installed(machine: Bare) -> None:
    done = machine.run("floor")
    assert (done.returncode, "floor.yaml; put the floor's file there" in done.stderr) == (2, True)
    assert machine.files() == {}
    floor_file(machine, "floor: wrong\n")
    before = machine.files()
    done = machine.run("floor")
    assert (done.returncode, "this version does not accept" in done.stderr) == (78, True)
    assert machine.files() == before


def test_a_floor_that_does_not_start_is_rolled_back_and_can_be_removed(machine: Bare) -> None:
    floor_file(machine)
    machine.run("floor")
    machine.answer("state", "active")
    before = machine.files()
    machine.answer("version", "does-not-start")
    done = machine.run("floor")
    assert (done.returncode, "the new version does not start" in done.stderr) == (1, True)
    assert machine.files() == before
    assert machine.started() == ["1", "does-not-start", "1"]
    for _ in range(2):
        assert machine.run("uninstall-floor").returncode == 0
        assert set(machine.files()) == {f"etc/{FLOOR}/floor.yaml"}
