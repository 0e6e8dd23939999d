"""The installer, with mock commands for what would change this machine (``bare_machine``); on a real one:
tests/system/kernel/kernel_service.py.
"""

import os
from pathlib import Path

import pytest
from bare_machine import Bare, light_checkout
from project import ROOT

FLOOR = "table-controller-floor"
LOST = "the new version does not start, the lines above say why; the old one runs again"


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return light_checkout(tmp_path_factory.mktemp("checkout"))


@pytest.fixture
def machine(tmp_path: Path, checkout: Path) -> Bare:
    return Bare(tmp_path, checkout)


def packages(machine: Bare) -> set[str]:
    return {line.partition("==")[0] for line in machine.locked()}


def refused(machine: Bare, *words: str, code: int, said: str, **variables: str) -> None:
    """An installation that ends with this code, and changes nothing."""
    before = machine.files()
    done = machine.run(*words, **variables)
    assert (done.returncode, said in done.stderr) == (code, True), done.stderr
    assert machine.files() == before
    assert not list(machine.answers.glob("tmp.*"))


def test_a_clean_machine_gets_the_table_its_publisher_and_the_locked_packages(machine: Bare) -> None:
    """All of it on the disk: what is written after the last sync may be lost. A real power cut is in
    tests/system/kernel/kernel_cut.py."""
    synced = machine.answers / "sync"
    synced.write_text('#!/bin/sh\nfind "$DESTDIR" | sort > "$ANSWERS/on-disk"\n')
    machine.installed()
    assert machine.config.read_bytes() == (ROOT / "config/tables/roulette.yaml").read_bytes()
    assert machine.unit.read_bytes() == (ROOT / "systemd/table-controller.service").read_bytes()
    there = {str(machine.root / name) for name in machine.files()}
    assert there <= set((machine.answers / "on-disk").read_text().splitlines())
    assert machine.started() == ["1"]
    calls = machine.calls()
    before = calls[: calls.index("systemctl restart table-controller")]
    units = ("table-controller", "table-controller-publish", "table-controller-screens")
    assert {f"systemctl enable --quiet {unit}" for unit in units} <= {*before}
    assert {f"systemctl stop {unit}" for unit in units[1:]} <= {*before}
    *locked, table = [line.split() for line in calls if line.startswith("pip ")]
    assert [Path(call[-1]).name for call in locked] == ["build.txt", "pi.txt"]
    assert all({"install", "--require-hashes", "--no-build-isolation", "--no-compile"} < {*call} for call in locked)
    assert {"--no-deps", "--no-build-isolation", "--no-compile"} < set(table)
    assert {"setuptools", "pydantic", "gpiod", "rpi-gpio", "aiomqtt", "cryptography"} < packages(machine)
    assert not {"pytest", "sqlalchemy", "uv"} & packages(machine)


@pytest.mark.parametrize(
    ("answers", "words", "variables", "code", "said"),
    [
        ({"user": "1000"}, [], {}, 1, "only root may do this; use: sudo make install"),
        ({"user": "1000"}, ["uninstall"], {}, 1, "only root may do this; use: sudo make uninstall"),
        ({}, ["upgrade"], {}, 2, "[install|uninstall|floor|uninstall-floor]"),
        ({}, [], {}, 2, "name the game: sudo make install TABLE=GAME, one of: big-six casino-war dreamcatcher"),
        ({}, [], {"TABLE": "poker"}, 2, "there is no table 'poker'; name one of: big-six casino-war"),
        ({}, [], {"TABLE": "big-six casino-war"}, 2, "there is no table 'big-six casino-war'"),
        ({"architecture": "armhf"}, [], {"TABLE": "roulette"}, 1, "there are no packages for armhf; arm64"),
        ({}, [], {"PYTHON": "false"}, 1, "false is no Python 3.11 or newer; name one: sudo make install PYTHON="),
        ({"no-packages": ""}, [], {"TABLE": "roulette"}, 1, "sudo apt install gcc libc6-dev python3-dev"),
        ({}, ["floor"], {}, 2, "floor.yaml; put the floor's file there"),
        ({}, [], {"TABLE": "roulette", "DISPLAY_URL": "http://x/"}, 1, "sudo apt install cage chromium"),
    ],
)
def test_an_impossible_installation_is_refused_and_nothing_changes(
    answers: dict[str, str], words: list[str], variables: dict[str, str], code: int, said: str, machine: Bare
) -> None:
    for name, answer in answers.items():
        machine.answer(name, answer)
    refused(machine, *words, code=code, said=said, **variables)


def test_neither_a_machine_without_systemd_nor_a_folder_in_the_way_is_changed(machine: Bare) -> None:
    (machine.link / "mine").mkdir(parents=True)
    assert "is in the way" in machine.run(TABLE="roulette").stderr
    (machine.root / "run/systemd/system").rmdir()
    refused(machine, TABLE="roulette", code=1, said="this machine does not run systemd")


def test_an_upgrade_is_installed_beside_the_old_version_and_keeps_the_configuration(machine: Bare) -> None:
    machine.installed()
    machine.config.write_text("game: roulette\nbroker:\n  host: broker.casino\n")
    before, slots = machine.config.read_text(), [os.readlink(machine.link)]
    for version in ("2", "3"):
        machine.answer("version", version)
        assert "it is published to the floor" in machine.run().stdout
        assert machine.version() == version
        slots.append(os.readlink(machine.link))
    assert slots[0] == slots[2] != slots[1]
    assert machine.config.read_text() == before
    assert machine.started() == ["1", "2", "3"]


def test_a_version_that_does_not_accept_the_configuration_or_start_changes_nothing(machine: Bare) -> None:
    machine.installed()
    machine.answer("version", "does-not-start")
    refused(machine, code=1, said=LOST)
    assert machine.started() == ["1", "does-not-start", "1"]
    machine.config.write_text("game: wrong\n")
    refused(machine, code=78, said="this version does not accept")


@pytest.mark.parametrize("words", [(), ("uninstall",)])
def test_a_display_is_served_only_if_it_is_asked_for_and_until_its_address_is_deleted(
    words: tuple[str, ...], machine: Bare
) -> None:
    """Both an installation and an uninstallation after that remove its service."""
    machine.installed()
    unit, address = machine.unit.with_name("table-controller-display.service"), "http://127.0.0.1:8081/dealer"
    assert not unit.exists()
    (machine.root / "usr/bin").mkdir(parents=True)
    for program in ("cage", "chromium"):
        (machine.root / "usr/bin" / program).touch(0o755)
    assert machine.run(DISPLAY_URL=address).returncode == 0
    assert machine.run().returncode == 0
    assert unit.read_bytes() == (ROOT / "systemd/table-controller-display.service").read_bytes()
    kept = machine.root / "etc/default/table-controller-display"
    assert kept.read_text() == f"URL={address}\n"
    kept.unlink()
    assert machine.run(*words).returncode == 0
    assert not unit.exists()
    assert "systemctl disable --quiet --now table-controller-display" in machine.calls()


def test_uninstalling_leaves_configuration_and_journal_and_says_so(machine: Bare) -> None:
    machine.installed()
    machine.installed()  # Both slots are used.
    journal = machine.root / "var/lib/table-controller/roulette.journal"
    journal.parent.mkdir(parents=True)
    journal.write_text("everything that happened")
    for _ in range(2):
        done = machine.run("uninstall")
        assert (done.returncode, "Left as they are: the configuration" in done.stdout) == (0, True)
        left = {"etc/table-controller/table.yaml", "var/lib/table-controller/roulette.journal"}
        assert set(machine.files()) == left


def test_the_floor_is_installed_where_its_unit_starts_it_rolled_back_and_removed(machine: Bare) -> None:
    file = machine.root / "etc" / FLOOR / "floor.yaml"
    file.parent.mkdir(parents=True)
    file.write_text("floor: main-floor\n")
    of_the_table = machine.root / "etc/default/table-controller-display"
    of_the_table.parent.mkdir()
    of_the_table.write_text("URL=http://127.0.0.1:8081/\n")
    assert machine.run("floor").returncode == 0
    for name, source in ((f"systemd/system/{FLOOR}.service", f"{FLOOR}.service"),
                         (f"sysusers.d/{FLOOR}.conf", "sysusers-floor.conf")):  # fmt: skip
        assert (machine.root / "etc" / name).read_bytes() == (ROOT / "systemd" / source).read_bytes()
    assert {"setuptools", "pydantic", "sqlalchemy", "psycopg-binary", "aiomqtt"} < packages(machine)
    assert not {"pytest", "gpiod", "spidev"} & packages(machine)
    assert f"systemctl enable --quiet {FLOOR}" in machine.calls()
    assert not (machine.root / "opt/table-controller").exists()
    machine.answer("state", "active")
    machine.answer("version", "does-not-start")
    refused(machine, "floor", code=1, said="the new version does not start")
    assert machine.started() == ["1", "does-not-start", "1"]
    file.write_text("floor: wrong\n")
    refused(machine, "floor", code=78, said="this version does not accept")
    for _ in range(2):
        assert machine.run("uninstall-floor").returncode == 0
        assert set(machine.files()) == {f"etc/{FLOOR}/floor.yaml", "etc/default/table-controller-display"}
