"""The table as a service: installed, sandboxed, killed, hung, misconfigured, upgraded, removed."""

import json

import pytest
from conftest import LABEL, remove_chip
from installed import CHECKOUT, CONFIG, JOURNAL, UNIT, InstalledTable, install, installed, shown
from machine import Machine
from tables import WheelTable

HARDENED = 2.0
"""What `systemd-analyze security` may say of the unit at most; 10 is a service without any protection."""


@pytest.fixture
def table(guest: Machine, installable: str) -> WheelTable:
    return WheelTable(guest, installable, runs_as=InstalledTable)


def test_the_table_installs_on_a_clean_machine(guest: Machine, table: WheelTable) -> None:
    """Installed, enabled, ready, by a user of its own, and sandboxed."""
    table.live.start()
    assert guest.run(f"systemctl is-enabled {UNIT}").out.strip() == "enabled"
    assert shown(guest, "ActiveState") == "active"
    assert "Turn the wheel by hand" in shown(guest, "StatusText")
    process = f"/proc/{shown(guest, 'MainPID')}"
    assert guest.run(f"stat -c %U {process}").out.strip() == UNIT
    groups = guest.run(f"getent group $(sed -n 's/^Groups://p' {process}/status) | cut -d: -f1").out.split()
    assert {"gpio", "spi", "dialout", "input"} <= set(groups)
    security = guest.run(f"systemd-analyze security --no-pager {UNIT} | tail -n 1").out
    assert float(security.split(":")[1].split()[0]) <= HARDENED
    output = guest.run(f"journalctl -u {UNIT} -o json | grep 'is ready' | tail -n 1").out
    assert json.loads(output)["PRIORITY"] == "6"
    assert not json.loads(output)["MESSAGE"].startswith("<")


def test_a_killed_or_hanging_table_resumes_its_round(guest: Machine, table: WheelTable) -> None:
    """A round on the kernel's lines under the unit's hardening, with two interruptions."""
    live = table.live
    table.open()
    table.press("no-more-bets", "no-more-bets")
    assert "RESULT 40: 40 pays 40 to 1; lit: 40" in table.throw(3.2, "40")
    for signal, result in (("KILL", "status=9/KILL"), ("STOP", "Watchdog timeout")):
        waits_for = shown(guest, "StatusText")
        process = shown(guest, "MainPID")
        live.signal(signal)
        live.wait_for(result)
        live.wait_for("is ready")
        assert shown(guest, "MainPID") != process
        assert shown(guest, "StatusText") == waits_for
        assert table.lit() == {"40"}
    table.press("done", "losers-collected")
    table.press("done", "winners-paid")
    table.press("clear", "locating")  # No sensor saw what the wheel did meanwhile.
    assert shown(guest, "NRestarts") == "2"
    live.stop()
    assert "entries verified" in live.command("journal", "verify").out


def test_a_wrong_configuration_is_reported_once_without_restarts(guest: Machine, table: WheelTable) -> None:
    table.live.start()
    guest.run(f"systemctl stop {UNIT}; sed -i 's/^wheel:/weel:/' {CONFIG}")
    assert guest.run(f"systemctl start {UNIT}", fails=True).code != 0
    assert shown(guest, "ExecMainStatus") == "78"
    assert (shown(guest, "SubState"), shown(guest, "NRestarts")) == ("failed", "0")
    graver = guest.run(f"journalctl -u {UNIT} -p err -o cat").out
    assert "weel: unknown key; did you mean wheel?" in graver


def test_a_chip_that_comes_late_is_waited_for(guest: Machine, table: WheelTable) -> None:
    live = table.live
    live.start()
    guest.run(f"systemctl stop {UNIT}")
    remove_chip(guest, "pi")
    assert guest.run(f"systemctl start {UNIT}", fails=True).code != 0
    assert shown(guest, "SubState") == "auto-restart"
    guest.run(f"/srv/project/tests/system/kernel/guest/chip.sh pi {LABEL}")
    live.wait_for("is ready")
    assert shown(guest, "ActiveState") == "active"


def test_an_upgrade_keeps_configuration_and_journal(guest: Machine, table: WheelTable) -> None:
    """The new version is installed beside the old one; of the table nothing changes but its version on record."""
    table.live.start()
    slot, waits_for = guest.run("readlink /opt/table-controller").out, shown(guest, "StatusText")
    kept, recorded = guest.run(f"sha256sum {CONFIG}").out, table.live.command("journal", "export").out
    guest.run("rm -rf /tmp/newer; mkdir /tmp/newer")
    guest.run(f"cd /srv/project && cp -R {CHECKOUT} /tmp/newer/")
    guest.run("""sed -i 's/^__version__ = .*/__version__ = "9.9"/' /tmp/newer/controller/__init__.py""")
    install(guest, "/tmp/newer")
    assert "9.9" in guest.run("table-controller --version").out
    assert guest.run("readlink /opt/table-controller").out != slot
    assert shown(guest, "StatusText") == waits_for
    assert guest.run(f"sha256sum {CONFIG}").out == kept
    grown = table.live.command("journal", "export").out
    assert grown.startswith(recorded)
    assert "9.9" in grown.removeprefix(recorded)
    assert "entries verified" in table.live.command("journal", "verify").out


def test_uninstalling_leaves_configuration_and_journal(guest: Machine, table: WheelTable) -> None:
    table.live.start()
    guest.run(f"systemctl stop {UNIT}")
    kept = guest.run(f"sha256sum {CONFIG} {JOURNAL}").out
    output = guest.run("/srv/project/systemd/install uninstall").out
    assert "Left as they are: the configuration" in output
    assert guest.run(f"sha256sum {CONFIG} {JOURNAL}").out == kept
    assert not installed(guest)
    left = guest.run(f"ls -d /opt/{UNIT}* /usr/local/bin/{UNIT} /etc/udev/rules.d/*{UNIT}*", fails=True).out
    assert left == ""
