"""The image on a virtual Pi 3, without the boot loader: what slot A starts, and what it does not start from."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import NO_WATCHDOG, SHELL
from virtual_pi import Card, VirtualPi

SERVICE = "table-controller.service"
READY = f"until systemctl is-active -q {SERVICE}; do sleep 2; ! systemctl is-failed -q {SERVICE} || exit 1; done"


def test_the_table_gets_ready_on_a_new_card(pi: VirtualPi) -> None:
    pi.run(f"({READY})")
    print(f"-- the table is ready after {pi.seconds():.0f} s")
    assert pi.run("systemctl show -P StatusText table-controller")
    assert "table: table-7" in pi.run("cat /etc/table-controller/table.yaml").splitlines()


def test_the_root_is_checked_and_only_read(pi: VirtualPi) -> None:
    assert "restart_on_corruption" in pi.run("dmsetup table root")
    assert pi.run("dmsetup status root").endswith(" V")
    mounts = {line.split()[1]: line.split() for line in pi.run("cat /proc/mounts").splitlines()}
    assert mounts["/"][2] == "squashfs"
    assert "ro" in mounts["/"][3].split(",")
    assert pi.run("touch /usr/x; test ! -e /usr/x && echo kept").endswith("kept")


def test_only_record_and_settings_are_on_the_card(pi: VirtualPi) -> None:
    lines = [line.split() for line in pi.run("cat /proc/mounts").splitlines()]
    writable = {
        at for source, at, _, options, *_ in lines if source.startswith("/dev/mmc") and options.startswith("rw")
    }
    assert writable == {
        "/data",
        "/etc/table-controller",
        "/var/lib/table-controller",
        "/var/lib/table-controller-publish",
        "/var/lib/table-controller-sign",
    }
    assert {at: kind for _, at, kind, *_ in lines if at in ("/etc", "/var")} == {
        "/etc": "overlay",
        "/var": "overlay",
    }


def test_the_data_takes_the_rest_of_the_card(pi: VirtualPi) -> None:
    assert int(pi.run("cat /sys/class/block/mmcblk0p3/size")) == (2 << 30) // 512 - 1_871_872
    free_mb = int(pi.run("df -m --output=size /data | tail -n 1"))
    assert free_mb > 1000
    assert "Block size:               1024" in pi.run("dumpe2fs -h /dev/mmcblk0p3")


def test_the_clock_is_not_before_the_image(pi: VirtualPi) -> None:
    built = int(pi.run("sed 's/.*table.built=\\([0-9]*\\).*/\\1/' /proc/cmdline"))
    assert int(pi.run("date +%s")) >= built


def test_the_pages_are_served(pi: VirtualPi) -> None:
    fetch = "import urllib.request as u; print(u.urlopen('http://127.0.0.1:8080/rounds').status)"
    assert pi.run(f'python3 -c "{fetch}"') == "200"


def test_the_record_and_the_settings_outlive_a_power_cut(pi: VirtualPi, card: Card, folder: Path) -> None:
    show = "table-controller journal export /etc/table-controller/table.yaml 2>/dev/null"
    pi.run(f"({READY})")
    before = pi.run(show).splitlines()
    assert before
    pi.cut()
    again = VirtualPi(card, folder, arguments=SHELL)
    try:
        again.login()
        again.run(f"({READY})")
        assert "takes the rest" not in again.log
        after = again.run(show).splitlines()
        assert after[: len(before)] == before
        assert '"kind": "power-restored"' in after[len(before)]
        assert again.run("table-controller journal verify /etc/table-controller/table.yaml")
    finally:
        again.close()


@pytest.fixture
def another(folder: Path) -> Iterator[Card]:
    card = Card(folder)
    yield card
    card.file.unlink()


def test_it_does_not_start_from_a_root_with_a_changed_byte(another: Card, folder: Path) -> None:
    another.change_byte(6, 100)
    pi = VirtualPi(another, folder, arguments=NO_WATCHDOG)
    try:
        pi.wait_off()
        assert "systemd" not in pi.log
        assert "data block 0 is corrupted" in pi.log
    finally:
        pi.close()


def test_it_starts_from_the_other_slot_then(another: Card, folder: Path) -> None:
    another.change_byte(6, 100)
    pi = VirtualPi(another, folder, slot="B", arguments=NO_WATCHDOG)
    try:
        pi.wait_for(r"table: slot B on mmcblk0p8, .* V")
    finally:
        pi.close()


def test_wrong_settings_are_said_on_the_screen(another: Card, folder: Path) -> None:
    another.put(1, "first-start.yaml", "game: bingo\n")
    pi = VirtualPi(another, folder, arguments=NO_WATCHDOG)
    try:
        pi.wait_for(r"first-start\.yaml: game: one of big-six, casino-war")
    finally:
        pi.close()


def test_the_network_is_as_the_card_says(another: Card, folder: Path) -> None:
    network = "{address: 192.168.7.20/24, gateway: 192.168.7.1, dns: 192.168.7.1}"
    another.put(1, "first-start.yaml", f"game: sic-bo\nnetwork: {network}\n")
    router = "user,id=net,net=192.168.7.0/24,host=192.168.7.1,dns=192.168.7.3"
    adapter = ("-netdev", router, "-device", "usb-net,netdev=net")
    pi = VirtualPi(another, folder, arguments=SHELL, devices=adapter)
    try:
        pi.login()
        pi.run("until ip -4 -color=never address | grep -qF 'inet 192.168.7.20/24'; do sleep 2; done")
        print(f"-- the network is there after {pi.seconds():.0f} s")
        # Until the settings were taken, it had an address by DHCP.
        pi.run("while ip -4 -color=never address | grep -q dynamic; do sleep 2; done")
        assert "default via 192.168.7.1" in pi.run("ip -4 -color=never route")
        connect = "import socket; socket.create_connection(('192.168.7.1', 9), 5)"
        assert "refused" in pi.run(f'python3 -c "{connect}" 2>&1 | tail -n 1; true').lower()
    finally:
        pi.close()


def test_the_data_takes_all_of_a_large_card(folder: Path) -> None:
    card = Card(folder, size=64 << 30)
    pi = VirtualPi(card, folder, arguments=SHELL)
    try:
        pi.login()
        assert int(pi.run("df -m --output=size /data | tail -n 1")) > 60_000
        print(f"-- a card of 64 GB has grown after {pi.seconds():.0f} s")
    finally:
        pi.close()
        card.file.unlink()
