"""Units start isolated: no unit runs Python with what variables, folders or path files would load."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from project import ROOT

UNITS = sorted((ROOT / "systemd").rglob("*.service")) + sorted((ROOT / "systemd").rglob("*.service.d/*.conf"))
OWN = ("table-controller", "table-controller-publish", "table-controller-floor")
HARMLESS = {"MALLOC_MMAP_THRESHOLD_"}
"""What a unit may set in the environment: a size that the C library's allocator goes by. It loads no code."""
ISOLATED = re.compile(r"/opt/(table-controller(?:-floor)?)/bin/python -I -B -S /opt/\1/bin/table-controller .+")


def commands(unit: Path) -> Iterator[str]:
    for line in unit.read_text(encoding="utf-8").splitlines():
        found = re.fullmatch(
            r"(?:ExecStart|ExecStartPre|ExecStop|ExecStopPost|ExecCondition|ExecReload)=[-@:+!]*(.*)", line
        )
        if found:
            yield found[1]


def settings(name: str) -> dict[str, str]:
    lines = (ROOT / f"systemd/{name}.service").read_text(encoding="utf-8").splitlines()
    return {line.partition("=")[0]: line.partition("=")[2] for line in lines if "=" in line and line[0] != "#"}


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_no_unit_runs_python_or_the_table_any_other_way(unit: Path) -> None:
    for command in commands(unit):
        program = command.partition(" ")[0]
        if "python" in program or program.endswith("/table-controller"):
            only_python = unit.parent != ROOT / "systemd"  # The image's own programs, on a disk that is verified.
            assert ISOLATED.fullmatch(command) or (only_python and " -I -B " in command), command


@pytest.mark.parametrize("name", OWN)
def test_every_unit_of_the_software_starts_by_the_launcher(name: str) -> None:
    started = [command for command in commands(ROOT / f"systemd/{name}.service") if "udevadm" not in command]
    assert started
    assert all(ISOLATED.fullmatch(command) for command in started)


@pytest.mark.parametrize("name", OWN)
def test_nothing_but_the_installation_and_debian_may_be_executed(name: str) -> None:
    unit = settings(name)
    assert unit["NoExecPaths"] == "/"
    slot = "/opt/table-controller-floor" if name.endswith("floor") else "/opt/table-controller"
    allowed = {path.lstrip("-") for path in unit["ExecPaths"].split()}
    assert allowed == {"/usr", "/lib", "/lib64", f"{slot}-a", f"{slot}-b", slot}
    assert {"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT"} <= set(unit["UnsetEnvironment"].split())
    for setting in ("MemoryDenyWriteExecute", "NoNewPrivileges", "LockPersonality"):
        assert unit[setting] == "yes"
    assert unit["ProtectSystem"] == "strict"


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_no_unit_sets_what_would_load_code(unit: Path) -> None:
    """Each variable that a unit sets is known to be harmless: what loads code has many names, and gains more."""
    for line in unit.read_text(encoding="utf-8").splitlines():
        setting, _, value = line.partition("=")
        assert setting.strip() not in ("EnvironmentFile", "PassEnvironment"), f"{unit.name}: {line}"
        if setting.strip() == "Environment":
            names = {word.partition("=")[0] for word in value.split()}
            assert names <= HARMLESS, f"{unit.name}: {line}"


def test_the_launcher_starts_python_as_the_units_do() -> None:
    text = (ROOT / "systemd/launcher").read_text(encoding="utf-8")
    assert 'python" -I -B -S "$0" "$@"' in text
    compile(text, "launcher", "exec")
