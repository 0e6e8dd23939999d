"""The units of systemd: each may do no more than it needs, runs what was installed, and cannot stop the table."""

import re
import shutil
import subprocess

import pytest
from project import ROOT

UNITS = tuple(f"table-controller{name}" for name in ("", "-screens", "-publish", "-floor"))
HARMLESS = {"PYTHONSAFEPATH", "PYTHONNOUSERSITE", "PYTHONPYCACHEPREFIX"}
"""What a unit may set in the environment: what loads code has many names, and gains more."""
BONDS = {"Requires", "BindsTo", "Requisite", "PartOf", "Conflicts", "OnFailure", "PropagatesStopTo"}
"""Settings by which a unit that fails can stop another."""


def settings(name: str) -> dict[str, list[str]]:
    """The words of each setting of a unit, of all its lines."""
    found: dict[str, list[str]] = {}
    for line in (ROOT / f"systemd/{name}.service").read_text(encoding="utf-8").splitlines():
        if "=" in line and not line.startswith("#"):
            setting, _, value = line.partition("=")
            found.setdefault(setting, []).extend(value.split())
    return found


@pytest.mark.parametrize("name", UNITS)
def test_every_unit_is_restricted_to_what_it_needs(name: str) -> None:
    """``systemd-analyze security`` gives 0 to what can do nothing and 10 to what can do all."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    unit = ROOT / f"systemd/{name}.service"
    command = ["systemd-analyze", "security", "--offline=yes", "--no-pager", str(unit)]
    output = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = re.search(r"Overall exposure level for \S+ (\d+\.\d)", output)
    assert found is not None
    assert float(found[1]) <= 1.5


@pytest.mark.parametrize("name", UNITS)
def test_a_unit_runs_what_was_installed_and_loads_no_code_from_variables_or_folders(name: str) -> None:
    """Nothing but the installation and Debian may be executed. A process of the table's own starts by ``python -m``
    in a folder that the table writes."""
    unit = settings(name)
    slot = "/opt/table-controller-floor" if name.endswith("floor") else "/opt/table-controller"
    text = (ROOT / f"systemd/{name}.service").read_text(encoding="utf-8")
    started = re.findall(r"^Exec(?:Start|Condition|Stop|Reload)\w*=(\S+)", text, re.MULTILINE)
    assert {*started} - {"-udevadm"} == {f"{slot}/bin/table-controller"}
    assert unit["NoExecPaths"] == ["/"]
    executable = {"/usr", "/lib", "/lib64", f"{slot}-a", f"{slot}-b", slot}
    assert {path.lstrip("-") for path in unit["ExecPaths"]} == executable
    for setting in ("MemoryDenyWriteExecute", "NoNewPrivileges", "LockPersonality"):
        assert unit[setting] == ["yes"]
    assert unit["ProtectSystem"] == ["strict"]
    assert not {"EnvironmentFile", "PassEnvironment"} & unit.keys()
    variables = {"LD_PRELOAD", "LD_LIBRARY_PATH", "LD_AUDIT", "PYTHONPATH", "PYTHONHOME"}
    assert variables <= set(unit["UnsetEnvironment"])
    environment = dict(word.split("=", 1) for word in unit["Environment"])
    assert environment.keys() <= HARMLESS
    assert (environment["PYTHONSAFEPATH"], environment["PYTHONNOUSERSITE"]) == ("1", "1")
    assert environment["PYTHONPYCACHEPREFIX"] == f"%C/{name}"
    assert (unit["CacheDirectory"], unit["CacheDirectoryMode"]) == ([name], ["0700"])


@pytest.mark.parametrize("name", ["screens", "publish", "display"])
def test_what_serves_people_can_neither_touch_nor_stop_the_table(name: str) -> None:
    """Neither can write where the other does; the server ends before the table when memory runs out."""
    table, server = settings("table-controller"), settings(f"table-controller-{name}")
    assert table["RestrictAddressFamilies"] == ["AF_UNIX"]
    assert server["User"] not in (table["User"], ["root"])
    assert "ReadWritePaths" not in server
    assert server.get("StateDirectory") != table["StateDirectory"]
    assert "-/var/lib/table-controller" in server["InaccessiblePaths"]
    assert "MemoryMax" in server
    assert int(server.get("Nice", server.get("OOMScoreAdjust"))[0]) > 0
    assert not BONDS - {"PartOf"} & server.keys()
    assert f"-{name}" not in str(table)


def test_the_display_shows_this_computers_pages_alone() -> None:
    display = settings("table-controller-display")
    assert display["SupplementaryGroups"] == ["video", "render"]
    assert (display["IPAddressDeny"], display["IPAddressAllow"]) == (["any"], ["localhost"])
