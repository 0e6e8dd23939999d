"""The installer, with mock commands for what would change this machine (``bare_machine``); on a real one:
tests/system/kernel/kernel_service.py.
"""

import os
from pathlib import Path

import pytest
from bare_machine import Bare, light_checkout
from project import ROOT


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return light_checkout(tmp_path_factory.mktemp("checkout"))


@pytest.fixture
def machine(tmp_path: Path, checkout: Path) -> Bare:
    return Bare(tmp_path, checkout)


def test_a_clean_machine_gets_the_table_of_the_game_that_was_named(tmp_path: Path) -> None:
    machine = Bare(tmp_path, ROOT)
    machine.installed()
    assert machine.config.read_bytes() == (ROOT / "config/tables/roulette.yaml").read_bytes()
    assert machine.unit.read_bytes() == (ROOT / "systemd/table-controller.service").read_bytes()
    assert machine.started() == ["1"]
    assert "systemctl enable --quiet table-controller" in (machine.answers / "calls").read_text()
    assert not list(machine.answers.glob("tmp.*"))


def test_the_table_is_installed_with_the_locked_packages_of_its_group(machine: Bare) -> None:
    machine.installed()
    *packages, table = [line.split() for line in machine.calls() if line.startswith("pip ")]
    assert [Path(call[-1]).name for call in packages] == ["build.txt", "pi.txt"]
    assert all({"install", "--require-hashes", "--no-build-isolation"} < set(call) for call in packages)
    assert {"--no-deps", "--no-build-isolation"} < set(table)
    assert all("--no-compile" in call for call in (*packages, table))
    names = {line.partition("==")[0] for line in machine.locked()}
    assert {"setuptools", "pydantic", "gpiod", "rpi-gpio", "aiomqtt", "cryptography"} < names
    assert not {"pytest", "sqlalchemy", "uv"} & names


@pytest.mark.parametrize(
    ("answers", "words", "variables", "code", "message"),
    [
        ({"user": "1000"}, [], {}, 1, "only root may do this; use: sudo make install"),
        ({"user": "1000"}, ["uninstall"], {}, 1, "only root may do this; use: sudo make uninstall"),
        ({}, ["upgrade"], {}, 2, "[install|uninstall|floor|uninstall-floor]"),
        ({}, [], {}, 2, "name the game: sudo make install TABLE=GAME, one of: big-six casino-war dreamcatcher"),
        ({}, [], {"TABLE": "poker"}, 2, "there is no table 'poker'; name one of: big-six casino-war"),
        ({}, [], {"TABLE": "big-six casino-war"}, 2, "there is no table 'big-six casino-war'"),
        ({"architecture": "riscv64"}, [], {"TABLE": "roulette"}, 1, "there are no packages for riscv64; arm64"),
        ({"architecture": "armhf"}, [], {"TABLE": "roulette"}, 1, "there are no packages for armhf; arm64"),
        ({}, [], {"PYTHON": "false"}, 1, "false is no Python 3.11 or newer; name one: sudo make install PYTHON="),
        ({"no-packages": ""}, [], {"TABLE": "roulette"}, 1, "sudo apt install gcc libc6-dev python3-dev"),
    ],
)
def test_an_impossible_installation_is_refused_and_nothing_changes(
    answers: dict[str, str], words: list[str], variables: dict[str, str], code: int, message: str, machine: Bare
) -> None:
    for name, answer in answers.items():
        machine.answer(name, answer)
    done = machine.run(*words, **variables)
    assert done.returncode == code
    assert message in done.stderr
    assert machine.files() == {}
    assert not list(machine.answers.glob("tmp.*"))


def test_a_machine_without_systemd_is_refused(machine: Bare) -> None:
    (machine.root / "run/systemd/system").rmdir()
    done = machine.run(TABLE="roulette")
    assert done.returncode == 1
    assert "this machine does not run systemd" in done.stderr
    assert machine.files() == {}


def test_a_folder_where_the_link_belongs_is_not_overwritten(machine: Bare) -> None:
    (machine.link / "mine").mkdir(parents=True)
    done = machine.run(TABLE="roulette")
    assert done.returncode == 1
    assert "is in the way" in done.stderr


def test_an_upgrade_is_installed_beside_the_old_version_and_keeps_the_configuration(machine: Bare) -> None:
    machine.installed()
    machine.config.write_text("game: roulette # mine\n")
    slots = [os.readlink(machine.link)]
    for version in ("2", "3"):
        machine.answer("version", version)
        assert machine.run().returncode == 0
        assert machine.version() == version
        slots.append(os.readlink(machine.link))
    assert slots[0] == slots[2] != slots[1]
    assert machine.config.read_text() == "game: roulette # mine\n"
    assert machine.started() == ["1", "2", "3"]


def test_a_version_that_does_not_accept_the_configuration_changes_nothing(machine: Bare) -> None:
    machine.installed()
    machine.config.write_text("game: wrong\n")
    before = machine.files()
    machine.answer("version", "2")
    done = machine.run()
    assert done.returncode == 78
    assert "this version does not accept" in done.stderr
    assert machine.files() == before
    assert machine.started() == ["1"]


def test_a_version_that_does_not_start_is_rolled_back(machine: Bare) -> None:
    machine.installed()
    before = machine.files()
    machine.answer("version", "does-not-start")
    done = machine.run()
    assert done.returncode == 1
    assert "the new version does not start, the lines above say why; the old one runs again" in done.stderr
    assert machine.files() == before
    assert machine.started() == ["1", "does-not-start", "1"]


def test_a_first_version_that_does_not_start_is_kept_for_the_technician(machine: Bare) -> None:
    machine.answer("version", "does-not-start")
    done = machine.run(TABLE="roulette")
    assert done.returncode == 1
    assert "it is installed and does not start" in done.stderr
    assert machine.version() == "does-not-start"


def test_an_installation_is_synced_to_the_disk(machine: Bare) -> None:
    """What is written after the last sync may be lost. A real power cut is in tests/system/kernel/kernel_cut.py."""
    synced = machine.answers / "sync"
    synced.write_text('#!/bin/sh\necho sync >> "$ANSWERS/calls"; find "$DESTDIR" | sort > "$ANSWERS/on-disk"\n')
    synced.chmod(0o755)
    machine.installed()
    there = {str(machine.root / name) for name in machine.files()}
    assert there <= set((machine.answers / "on-disk").read_text().splitlines())
    calls = (machine.answers / "calls").read_text().splitlines()
    assert "systemctl enable --quiet table-controller" in calls[: len(calls) - calls[::-1].index("sync")]


def test_the_publisher_is_installed_and_started_with_the_table(machine: Bare) -> None:
    machine.installed()
    assert machine.publisher.read_bytes() == (ROOT / "systemd/table-controller-publish.service").read_bytes()
    calls = machine.calls()
    enabled = calls.index("systemctl enable --quiet table-controller-publish")
    stopped = calls.index("systemctl stop table-controller-publish")
    assert enabled < stopped < calls.index("systemctl restart table-controller")
    begun = [line for line in calls if line.startswith(("systemctl start", "systemctl restart table-controller-"))]
    assert not [line for line in begun if "table-controller-publish" in line]


def test_a_display_is_served_only_if_it_is_asked_for_and_from_then_on(machine: Bare) -> None:
    machine.installed()
    unit, address = machine.unit.with_name("table-controller-display.service"), "http://127.0.0.1:8081/dealer"
    assert not unit.exists()
    assert "sudo apt install cage chromium" in machine.run(DISPLAY_URL=address).stderr
    for program in ("cage", "chromium"):
        place = machine.root / "usr/bin" / program
        place.parent.mkdir(parents=True, exist_ok=True)
        place.touch(0o755)
    assert machine.run(DISPLAY_URL=address).returncode == 0
    assert machine.run().returncode == 0
    assert unit.read_bytes() == (ROOT / "systemd/table-controller-display.service").read_bytes()
    assert (machine.root / "etc/default/table-controller-display").read_text() == f"URL={address}\n"
    assert "systemctl enable --quiet table-controller-display" in machine.calls()
    machine.run("uninstall")
    assert not unit.exists()


def test_it_says_that_the_table_is_published(machine: Bare) -> None:
    machine.installed()
    assert "it is published to the floor" not in machine.run().stdout
    machine.config.write_text("game: roulette\nbroker:\n  host: broker.casino\n")
    assert "it is published to the floor" in machine.run().stdout


def test_a_publisher_that_cannot_be_enabled_does_not_keep_the_table_from_starting(machine: Bare) -> None:
    systemctl = machine.answers / "systemctl"
    systemctl.write_text(systemctl.read_text() + '\n! echo "$*" | grep -q "enable.*publish"\n')
    done = machine.run(TABLE="roulette")
    assert done.returncode == 0
    assert "table-controller-publish could not be enabled; the table does without" in done.stdout
    assert machine.started() == ["1"]


def test_going_back_to_a_version_without_a_publisher_takes_its_unit_away(machine: Bare) -> None:
    machine.installed()
    (machine.link / "service/table-controller-publish.service").unlink()
    machine.publisher.unlink()
    before = machine.files()
    machine.answer("version", "does-not-start")
    assert machine.run().returncode == 1
    assert machine.files() == before
    assert "systemctl disable --quiet --now table-controller-publish" in machine.calls()


def test_uninstalling_leaves_configuration_and_journal_and_says_so(machine: Bare) -> None:
    machine.installed()
    machine.installed()  # Both slots are used.
    journal = machine.root / "var/lib/table-controller/roulette.journal"
    journal.parent.mkdir(parents=True)
    journal.write_text("everything that happened")
    for _ in range(2):
        done = machine.run("uninstall")
        assert done.returncode == 0
        assert "Left as they are: the configuration" in done.stdout
        assert set(machine.files()) == {
            "etc/table-controller/table.yaml",
            "var/lib/table-controller/roulette.journal",
        }
