"""The units of systemd: each is restricted to what it needs, and none can touch the table."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest
from project import ROOT

from controller.runtime import publisher_status


@pytest.mark.parametrize(
    "name",
    [
        "table-controller",
        "table-controller-screens",
        "table-controller-publish",
        "table-controller-floor",
    ],
)
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


@pytest.mark.parametrize("name", ["screens", "publish"])
def test_what_serves_the_network_cannot_touch_the_table(name: str) -> None:
    """Its failure does not stop the table, and it cannot write where the table does, nor the table where it
    does."""
    table, publisher = settings("table-controller"), settings(f"table-controller-{name}")
    assert table["RestrictAddressFamilies"] == "AF_UNIX"
    assert publisher["User"] != table["User"]
    assert table["Group"] in publisher["SupplementaryGroups"]
    assert publisher["ProtectSystem"] == "strict"
    assert "ReadWritePaths" not in publisher
    assert publisher.get("StateDirectory") != table["StateDirectory"]
    assert "-/var/lib/table-controller" in publisher["InaccessiblePaths"].split()
    assert "MemoryMax" in publisher
    assert int(publisher["Nice"]) > 0
    assert publisher["WantedBy"] == "table-controller.service"
    bonds = ("Requires", "BindsTo", "Requisite", "PartOf", "Conflicts", "OnFailure", "PropagatesStopTo")
    assert not [bond for bond in bonds if bond in publisher]
    assert f"-{name}" not in (ROOT / "systemd/table-controller.service").read_text(encoding="utf-8")


def test_the_display_can_neither_read_the_table_nor_take_its_memory() -> None:
    """It is in no group of the table, and ends before the table when memory runs out."""
    table, display = settings("table-controller"), settings("table-controller-display")
    assert display["User"] not in (table["User"], "root")
    assert display["SupplementaryGroups"].split() == ["video", "render"]
    for place in ("/etc/table-controller", "/var/lib/table-controller", "/var/lib/table-controller-publish"):
        assert f"-{place}" in display["InaccessiblePaths"].split()
    assert (display["IPAddressDeny"], display["IPAddressAllow"]) == ("any", "localhost")
    assert int(display["OOMScoreAdjust"]) > 0
    assert "MemoryMax" in display
    bonds = ("Requires", "BindsTo", "Requisite", "Conflicts", "OnFailure", "PropagatesStopTo")
    assert not [bond for bond in bonds if bond in display]
    assert "display" not in (ROOT / "systemd/table-controller.service").read_text(encoding="utf-8")


def settings(name: str) -> dict[str, str]:
    """The last value of each setting of a unit."""
    lines = (ROOT / f"systemd/{name}.service").read_text(encoding="utf-8").splitlines()
    return dict(line.split("=", 1) for line in lines if "=" in line and not line.startswith("#"))  # type: ignore[misc]


def test_the_table_reads_the_publishers_word_where_the_unit_puts_it() -> None:
    """The folder is the publisher's; others of this computer may read it, and it goes away with the service."""
    publisher, table = settings("table-controller-publish"), settings("table-controller")
    assert Path("/run", publisher["RuntimeDirectory"]) == publisher_status.PLACE.parent
    assert publisher["RuntimeDirectoryMode"] == "0755"
    assert "RuntimeDirectoryPreserve" not in publisher
    assert publisher["RuntimeDirectory"] not in " ".join(table.values())
