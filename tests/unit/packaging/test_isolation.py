"""Units start isolated: no unit runs Python with what variables or folders would load."""

import re
from collections.abc import Iterator

import pytest
from project import ROOT

OWN = tuple(f"table-controller{name}" for name in ("", "-screens", "-publish", "-floor"))
HARMLESS = {"PYTHONSAFEPATH", "PYTHONNOUSERSITE", "PYTHONPYCACHEPREFIX"}
"""What a unit may set in the environment: what loads code has many names, and gains more."""


def lines(name: str) -> list[list[str]]:
    """Each setting with its words."""
    text = (ROOT / f"systemd/{name}.service").read_text(encoding="utf-8")
    settings = [line.partition("=") for line in text.splitlines() if "=" in line and line[0] != "#"]
    return [[setting, *value.split()] for setting, _, value in settings]


def words(name: str, setting: str) -> Iterator[str]:
    return (word for line in lines(name) if line[0] == setting for word in line[1:])


@pytest.mark.parametrize("name", OWN)
def test_every_unit_of_the_software_starts_what_was_installed(name: str) -> None:
    slot = "/opt/table-controller-floor" if name.endswith("floor") else "/opt/table-controller"
    started = [line[1] for line in lines(name) if re.fullmatch(r"Exec(Start|Condition|Stop|Reload)\w*", line[0])]
    assert {program for program in started if program != "-udevadm"} == {f"{slot}/bin/table-controller"}


@pytest.mark.parametrize("name", OWN)
def test_nothing_but_the_installation_and_debian_may_be_executed(name: str) -> None:
    slot = "/opt/table-controller-floor" if name.endswith("floor") else "/opt/table-controller"
    assert list(words(name, "NoExecPaths")) == ["/"]
    assert {path.lstrip("-") for path in words(name, "ExecPaths")} == {
        *("/usr", "/lib", "/lib64"),
        *(f"{slot}-a", f"{slot}-b", slot),
    }
    for setting in ("MemoryDenyWriteExecute", "NoNewPrivileges", "LockPersonality"):
        assert list(words(name, setting)) == ["yes"]
    assert list(words(name, "ProtectSystem")) == ["strict"]


@pytest.mark.parametrize("name", OWN)
def test_neither_variables_nor_the_working_directory_load_code(name: str) -> None:
    """A process of the table's own starts by ``python -m`` in a folder that the table writes."""
    assert not [*words(name, "EnvironmentFile"), *words(name, "PassEnvironment")]
    assert {"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "PYTHONPATH", "PYTHONHOME"} <= set(
        words(name, "UnsetEnvironment")
    )
    environment = dict(word.split("=", 1) for word in words(name, "Environment"))
    assert environment.keys() <= HARMLESS
    assert (environment["PYTHONSAFEPATH"], environment["PYTHONNOUSERSITE"]) == ("1", "1")
    assert environment["PYTHONPYCACHEPREFIX"] == f"%C/{name}"
    assert (list(words(name, "CacheDirectory")), list(words(name, "CacheDirectoryMode"))) == ([name], ["0700"])
