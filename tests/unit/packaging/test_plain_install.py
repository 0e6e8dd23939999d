"""What a ``pip install`` without extras runs; what needs one says so, with the command that installs it."""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
import yaml
from project import ROOT
from setup_arguments import of_setup

from controller.commands.cli import COMMANDS, main
from controller.configuration.shipped import shipped_tables
from hal.errors import LibraryMissingError
from hal.interfaces import Clock
from hal.libraries import EXTRAS, OF_EVERY_TABLE, missing
from hal.mock.clock import VirtualClock
from hal.registry import KINDS, backends, open_device, settings_model

PROGRAM = ROOT / "tests/support/without_libraries.py"
GAMES = sorted(shipped_tables())
WITHOUT_SPINS = {
    **dict.fromkeys(("big-six", "dreamcatcher"), "the wheel is not calibrated"),
    "roulette": "no edges of spins are kept beside the journal",
}
"""Why `wheel-health` finds nothing to measure, by the game whose wheel has sensors."""
WHEELS = tuple(WITHOUT_SPINS)
BROKER = {"host": "broker", "ca": "ca.pem", "certificate": "table.pem", "key": "table.key"}


def ran(folder: Path, *commands: Sequence[str], refused: Sequence[str] = tuple(EXTRAS)) -> list[dict[str, Any]]:
    """The result of each command, in a Python that has none of these libraries."""
    done = subprocess.run(
        [sys.executable, str(PROGRAM)],
        input=json.dumps({"refused": refused, "commands": commands}),
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    results: list[dict[str, Any]] = json.loads(done.stdout)
    return results


def table_file(folder: Path, game: str, **sections: Any) -> str:
    """A shipped table with its journal in a folder, some sections or devices changed."""
    document = yaml.safe_load(shipped_tables()[game].read_text(encoding="utf-8"))
    devices = sections.pop("devices", {})
    document |= {"journal": {"file": str(folder / f"{game}.journal")}, **sections}
    document["devices"] = document["devices"] | devices
    file = folder / f"{game}.yaml"
    file.write_text(yaml.safe_dump(document), encoding="utf-8")
    return str(file)


@pytest.fixture(scope="module", params=GAMES)
def recorded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> str:
    """The file of a table that has a record of ten rounds, played where the libraries are installed."""
    game: str = request.param
    folder = tmp_path_factory.mktemp(game)
    assert main(["bench", game, "--demo", "--journal", str(folder / f"{game}.journal")]) == 0
    return table_file(folder, game)


def test_commands_without_hardware_run_on_every_shipped_table(recorded: str, tmp_path: Path) -> None:
    game = Path(recorded).stem
    commands = [
        ["check", game, recorded],
        ["odds", game],
        ["odds", recorded, "--json"],
        ["guide", game],
        ["guide", recorded, "--out", str(tmp_path / "guide.html")],
        ["journal", "show", recorded, "--last", "2"],
        ["journal", "verify", recorded],
        ["journal", "export", recorded],
        ["journal", "inspections", recorded],
        ["replay", "2", recorded],
        ["replay", "2", recorded, "--json"],
        ["limits", recorded],
    ]
    for words, result in zip(commands, ran(tmp_path, *commands), strict=True):
        assert (result["code"], result["err"]) == (0, ""), words
        assert result["out"], words


def test_wheel_health_needs_no_other_library(recorded: str, tmp_path: Path) -> None:
    (result,) = ran(tmp_path, ["wheel-health", recorded])
    assert result["code"] == 1
    assert WITHOUT_SPINS.get(Path(recorded).stem, "table has no wheel with a clapper") in result["err"]


@pytest.mark.parametrize("game", GAMES)
def test_commands_on_simulated_hardware_say_what_installs_them(game: str, tmp_path: Path) -> None:
    file, bench = table_file(tmp_path, game), "pip install 'table-controller[bench]'"
    commands = [
        (["simulate", game, "--rounds", "1"], f"simulate needs numpy: {bench}"),
        (["bench", game], f"bench needs rich: {bench}"),
        (["bench", game, "--port", "0"], f"bench needs numpy: {bench}"),
    ]
    if game in WHEELS:
        commands.append((["run", file, "--port", "0"], f"backend 'mock' needs numpy: {bench}"))
    tested, *results = ran(tmp_path, ["selftest", file, "--non-interactive"], *(words for words, _ in commands))
    for (words, message), result in zip(commands, results, strict=True):
        assert result["code"] == 1, words
        complaint = [line for line in result["err"].splitlines() if not line.startswith("INFO ")]
        assert complaint == [f"table-controller: {message}"], words
    assert (f"-> backend 'mock' needs numpy: {bench}" in tested["out"]) == (game in WHEELS), "only a wheel needs it"
    assert tested["code"] == (1 if game in WHEELS else 0)
    assert "Traceback" not in tested["err"]


def test_publisher_and_floor_say_what_installs_them(tmp_path: Path) -> None:
    table = table_file(tmp_path, "sic-bo", broker=BROKER)
    floor = str(ROOT / "config/floors/floor.yaml")
    published, kept, checked = ran(tmp_path, ["publish", table], ["floor", floor], ["floor", floor, "--check"])
    publish = "table-controller: publish needs aiomqtt: pip install 'table-controller[publish]'\n"
    assert (published["code"], published["err"]) == (1, publish)
    for result in (kept, checked):
        needed = "table-controller: floor needs sqlalchemy: pip install 'table-controller[floor]'\n"
        assert (result["code"], result["err"]) == (1, needed)


def test_completion_says_what_installs_it_and_manual_pages_need_nothing(tmp_path: Path) -> None:
    completed, written = ran(tmp_path, ["completion", "bash"], ["manual", str(tmp_path / "man")])
    needed = "table-controller: completion needs shtab: pip install 'table-controller[shell]'\n"
    assert (completed["code"], completed["err"]) == (1, needed)
    assert (written["code"], written["err"]) == (0, "")


def test_signer_witness_and_audit_say_what_installs_them(tmp_path: Path) -> None:
    table = table_file(tmp_path, "sic-bo", signing={})
    key = "table-controller/sic-bo+00000000+" + "A" * 44
    commands = [["sign", table], ["audit", str(tmp_path), "--table-key", key]]
    for words, result in zip(commands, ran(tmp_path, *commands), strict=True):
        needed = f"table-controller: {words[0]} needs cryptography: pip install 'table-controller[sign]'\n"
        assert (result["code"], result["err"]) == (1, needed)


def test_a_table_that_is_signed_plays_without_the_signers_libraries(tmp_path: Path) -> None:
    table = table_file(tmp_path, "casino-war", signing={})
    checked, verified = ran(tmp_path, ["check", table], ["journal", "verify", table])
    assert (checked["code"], checked["err"]) == (0, "")
    assert "there is no journal here" in verified["err"]


@pytest.mark.parametrize("library", ["sqlalchemy", "psycopg", "aiomqtt", "paho"])
def test_a_floor_that_lacks_one_library_names_it(library: str, tmp_path: Path) -> None:
    document = yaml.safe_load((ROOT / "config/floors/floor.yaml").read_text(encoding="utf-8"))
    document["store"] = {"url": "postgresql+psycopg://floor@127.0.0.1/floor"}
    file = tmp_path / "floor.yaml"
    file.write_text(yaml.safe_dump(document), encoding="utf-8")
    (result,) = ran(tmp_path, ["floor", str(file), "--check"], refused=[library])
    needed = f"table-controller: floor needs {library}: pip install 'table-controller[floor]'\n"
    assert (result["code"], result["err"]) == (1, needed)


@pytest.mark.parametrize("library", ["pydantic", "yaml", "transitions"])
def test_a_damaged_installation_names_the_library_too(library: str, tmp_path: Path) -> None:
    (result,) = ran(tmp_path, ["check", "sic-bo"], refused=[library])
    needed = f"table-controller: check needs {library}: pip install table-controller\n"
    assert (result["code"], result["err"]) == (1, needed)


HEAD = {"backend": "gpiod", "pins": {"encoder_a": 17, "encoder_b": 27, "index": 22, "clapper": 23}}
MODBUS = {"port": "/dev/ttyUSB0", "units": [{"unit": 1, "outputs": 64}]}


def test_a_table_on_hardware_says_what_its_drivers_need(tmp_path: Path) -> None:
    """Its file is in order wherever it is read; only where the devices are opened a library is missed."""
    document = yaml.safe_load(shipped_tables()["dreamcatcher"].read_text(encoding="utf-8"))
    lamps = {area: number for number, area in enumerate(document["devices"]["panel"]["lamps"])}
    panel = {"backend": "modbus", "options": MODBUS, "lamps": lamps}
    file = table_file(tmp_path, "dreamcatcher", devices={"head": HEAD, "panel": panel})
    checked, calibrated, tested = ran(
        tmp_path, ["check", file], ["calibrate", file], ["selftest", file, "--non-interactive"]
    )
    assert (checked["code"], checked["err"]) == (0, "")
    needed = "backend 'gpiod' needs gpiod: pip install 'table-controller[gpio]'"
    assert (calibrated["code"], calibrated["err"]) == (1, f"table-controller: {needed}\n")
    assert tested["code"] == 1
    assert needed in tested["out"]
    assert "backend 'modbus' needs pymodbus: pip install 'table-controller[pi]'" in tested["out"]


def test_help_needs_no_library(tmp_path: Path) -> None:
    commands = [["--help"], *([name, "--help"] for name in COMMANDS)]
    for words, result in zip(commands, ran(tmp_path, *commands), strict=True):
        assert (result["code"], result["err"]) == (0, ""), words


DRIVERS = ("gpiozero", "colorzero", "serial", "vcd")
"""They come with the project, and drive devices too."""
PAIRS = [(kind, backend) for kind in KINDS for backend in backends(kind)]


def test_settings_of_every_backend_are_read_without_its_library() -> None:
    program = (
        "import sys; from without_libraries import Refusing; sys.meta_path.insert(0, Refusing(sys.argv[1:]))\n"
        "from hal.registry import KINDS, backends, settings_model\n"
        "for kind in KINDS:\n"
        "    for backend in backends(kind): print(kind, backend, settings_model(kind, backend).__module__)"
    )
    command = [sys.executable, "-c", program, *EXTRAS, *DRIVERS]
    path = f"{ROOT}:{PROGRAM.parent}"
    done = subprocess.run(command, env={"PYTHONPATH": path}, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.splitlines() == [f"{kind} {backend} hal.{backend}.settings" for kind, backend in PAIRS]


@pytest.mark.parametrize(("kind", "backend"), PAIRS)
def test_a_backend_has_settings_for_the_kinds_it_drives(kind: str, backend: str) -> None:
    assert settings_model(kind, backend).model_config.get("extra") == "forbid"


@pytest.mark.parametrize(
    ("kind", "backend", "library", "options"),
    [
        ("edges", "gpiod", "gpiod", {}),
        ("rotor", "gpiod", "gpiod", {}),
        ("panel", "modbus", "pymodbus", MODBUS),
        ("keys", "evdev", "evdev", {"device": "/dev/input/event0"}),
        ("edges", "mock", "numpy", {}),
    ],
)
def test_a_device_whose_library_is_missing_says_what_installs_it(
    kind: str, backend: str, library: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in [name for name in sys.modules if name.partition(".")[0] == library]:
        monkeypatch.delitem(sys.modules, name)
    for name in [name for name in sys.modules if name.startswith(f"hal.{backend}.")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, library, None)
    clock: Clock = VirtualClock()
    with pytest.raises(LibraryMissingError) as failure:
        open_device(kind, backend, settings_model(kind, backend).model_validate(options), options, clock)
    message = f"backend '{backend}' needs {library}: pip install 'table-controller[{EXTRAS[library][0]}]'"
    assert str(failure.value) == message


def test_a_module_that_is_no_library_is_a_defect() -> None:
    for name in ("controller.no_such", "nonsense", None):
        assert missing("check", ModuleNotFoundError(name=name)) is None


# -- hal/libraries.py agrees with setup.py -------------------------------------------------------------------------

IMPORTED_AS = {
    "pyyaml": "yaml",
    "pyserial": "serial",
    "pyvcd": "vcd",
    "rpi.gpio": "RPi",
    "psycopg[binary]": "psycopg",
    "rfc3161-client": "rfc3161_client",
    "prometheus-client": "prometheus_client",
    "protobuf": "google",
}


def library(requirement: str) -> str:
    """What a requirement is imported as."""
    name = requirement.partition(";")[0].strip()
    for sign in "[><=~!":
        name = name.partition(sign)[0]
    return IMPORTED_AS.get(name.lower(), name.lower())


def test_each_library_is_said_to_come_with_the_extras_that_bring_it() -> None:
    setup = of_setup()
    brought = {
        extra: {library(one) for one in requirements} for extra, requirements in setup["extras_require"].items()
    }
    brings = {"paho": "aiomqtt"}  # It comes with the other.
    for name, extras in EXTRAS.items():
        there = [extra for extra, some in brought.items() if brings.get(name, name) in some and extra != "dev"]
        assert set(extras) == set(there), name
    offered = {
        name
        for extra, some in brought.items()
        if extra not in ("dev", "compile", "release", "fuzz", "mutation", "browser", "site")
        for name in some
    }
    assert offered <= set(EXTRAS)
    assert {library(one) for one in setup["install_requires"]} <= set(OF_EVERY_TABLE)
