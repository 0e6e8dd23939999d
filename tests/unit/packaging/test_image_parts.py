"""The parts of the card's image that work without one: the state of the slots, the settings of a new card, what
the initial ramdisk decides. The image itself, on a virtual Pi: tests/system/image.
"""

import os
import re
import shutil
import struct
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest
from image_programs import program
from project import ROOT

from controller.commands import cli

IMAGE = ROOT / "systemd/image"
TABLES = ROOT / "config/tables"
needs = {
    name: shutil.which(name, path="/usr/sbin:/sbin:/usr/bin:/bin") for name in ("sfdisk", "mkimage", "busybox")
}


boot_state, first_start = program("boot_state"), program("first_start")


@pytest.fixture
def card(tmp_path: Path) -> Path:
    """A card as it is delivered: no state yet."""
    file = tmp_path / "card"
    file.write_bytes(bytes(4 << 20))
    return file


def damage(card: Path, place: int) -> None:
    with card.open("r+b") as device:
        device.seek(place * boot_state.SECTOR + 9)
        device.write(b"?")


def test_a_new_card_starts_slot_a_and_has_three_tries_of_each(card: Path) -> None:
    assert boot_state.read(card) == {"BOOT_ORDER": "A B", "BOOT_A_LEFT": "3", "BOOT_B_LEFT": "3"}


def test_the_state_outlives_either_of_its_copies(card: Path) -> None:
    boot_state.write(card, boot_state.DEFAULT | {"BOOT_ORDER": "B A"})
    whole = card.read_bytes()
    for place in boot_state.PLACES:
        card.write_bytes(whole)
        damage(card, place)
        assert boot_state.read(card)["BOOT_ORDER"] == "B A"


@pytest.mark.parametrize("written", range(0, 513, 64))
def test_a_power_cut_while_the_state_is_written_leaves_the_old_or_the_new_one(card: Path, written: int) -> None:
    old, new = (
        boot_state.DEFAULT | {"BOOT_A_LEFT": "1"},
        boot_state.DEFAULT | {"BOOT_A_LEFT": "0", "BOOT_ORDER": "B A"},
    )
    for place in range(len(boot_state.PLACES)):
        boot_state.write(card, old)
        before = card.read_bytes()
        boot_state.write(card, new)
        after = card.read_bytes()
        cut = boot_state.PLACES[place] * boot_state.SECTOR + written
        card.write_bytes(after[:cut] + before[cut:])
        assert boot_state.read(card) in (old, new)


def test_a_copy_is_what_the_boot_loader_exports() -> None:
    copy = boot_state.packed({"BOOT_A_LEFT": "3", "BOOT_ORDER": "A B"})
    assert len(copy) == 512
    assert copy[4:].startswith(b"BOOT_A_LEFT=3\0BOOT_ORDER=A B\0\0")
    assert boot_state.unpacked(copy) == {"BOOT_A_LEFT": "3", "BOOT_ORDER": "A B"}


def test_both_sides_name_the_same_state_and_places() -> None:
    script = (IMAGE / "card/boot.cmd").read_text()
    for place in boot_state.PLACES:
        assert f"read ${{block}} {place:#x} 1" in script
        assert f"write ${{block}} {place:#x} 1" in script
    assert f'setenv names "{" ".join(boot_state.DEFAULT)}"' in script


def test_the_settings_are_the_shipped_tables_with_another_name(tmp_path: Path) -> None:
    (tmp_path / "first-start.yaml").write_text("game: sic-bo\nname: table-7\n")
    text = first_start.table_text(tmp_path, TABLES)
    assert text == (TABLES / "sic-bo.yaml").read_text().replace("\ntable: sic-bo\n", "\ntable: table-7\n")


@pytest.mark.parametrize("game", sorted(file.stem for file in TABLES.glob("*.yaml")))
def test_the_settings_have_the_page_of_the_display(tmp_path: Path, game: str) -> None:
    (tmp_path / "first-start.yaml").write_text(f"game: {game}\nkiosk: dealer\n")
    text = first_start.table_text(tmp_path, TABLES)
    assert "\nscreens:\n  kiosk: dealer\n" in text
    (tmp_path / "table.yaml").write_text(text)
    assert cli.main(["check", str(tmp_path / "table.yaml")]) == 0


def test_what_is_wrong_with_the_settings_is_left_for_the_display(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(first_start, "SENTENCES", tmp_path / "said")
    first_start.report("first-start.yaml: game: one of sic-bo", 3)
    assert (tmp_path / "said").read_text() == "first-start.yaml: game: one of sic-bo\n"


def test_a_whole_tables_file_comes_before_the_short_one(tmp_path: Path) -> None:
    (tmp_path / "first-start.yaml").write_text("game: sic-bo\n")
    (tmp_path / "table.yaml").write_text("table: mine\n")
    assert first_start.table_text(tmp_path, TABLES) == "table: mine\n"


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("game: bingo", "one of big-six, casino-war"),
        ("name: table-7", "game: one of"),
        ("game: sic-bo\nname: Table 7", "name: small letters"),
        ("game: sic-bo\nplayers: 7", "unknown: players"),
        ("sic-bo", "game: sic-bo"),
        ("game: [", "first-start.yaml"),
        ("game: sic-bo\nkiosk: players", "kiosk: board or dealer"),
    ],
)
def test_wrong_settings_are_refused_by_name(tmp_path: Path, text: str, names: str) -> None:
    (tmp_path / "first-start.yaml").write_text(text)
    with pytest.raises(first_start.RefusedError, match=names) as refused:
        first_start.table_text(tmp_path, TABLES)
    assert refused.value.flashes == first_start.WRONG_FILE


def test_a_card_without_settings_says_what_to_put_on_it(tmp_path: Path) -> None:
    with pytest.raises(first_start.RefusedError, match=r"first-start\.yaml") as refused:
        first_start.table_text(tmp_path, TABLES)
    assert refused.value.flashes == first_start.NO_FILE


def test_refused_settings_leave_nothing_behind(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    check = tmp_path / "check"
    check.write_text('#!/bin/sh\necho "$2:1:1: table: wrong"\nexit 78\n')
    check.chmod(0o755)
    monkeypatch.setattr(first_start, "COMMAND", str(check))
    settings = tmp_path / "settings"
    settings.mkdir()
    with pytest.raises(first_start.RefusedError, match=r"^table\.yaml:1:1: table: wrong"):
        first_start.accept("table: ?", settings, "[Match]\n")
    assert list(settings.iterdir()) == []


@pytest.mark.parametrize("text", ["game: sic-bo", "game: sic-bo\nnetwork: dhcp", ""])
def test_without_a_network_of_its_own_a_table_has_an_address_by_dhcp(tmp_path: Path, text: str) -> None:
    if text:
        (tmp_path / "first-start.yaml").write_text(text)
    assert first_start.network_text(tmp_path) == ""


@pytest.mark.parametrize(
    ("network", "lines"),
    [
        ("{address: 192.168.7.20/24}", ["Address=192.168.7.20/24"]),
        (
            "{address: 192.168.7.20/24, gateway: 192.168.7.1, dns: 192.168.7.2}",
            ["Address=192.168.7.20/24", "Gateway=192.168.7.1", "DNS=192.168.7.2"],
        ),
        (
            "{address: 'fd00:7::20/64', gateway: 'fd00:7::1', dns: [9.9.9.9, 'fd00:7::2']}",
            ["Address=fd00:7::20/64", "Gateway=fd00:7::1", "DNS=9.9.9.9", "DNS=fd00:7::2"],
        ),
    ],
)
def test_the_network_is_as_the_card_says(tmp_path: Path, network: str, lines: list[str]) -> None:
    (tmp_path / "table.yaml").write_text("table: mine\n")
    (tmp_path / "first-start.yaml").write_text(f"network: {network}\n")
    assert first_start.network_text(tmp_path).splitlines() == ["[Match]", "Name=en* eth*", "", "[Network]", *lines]


@pytest.mark.parametrize(
    ("network", "says"),
    [
        ("fast", "network: dhcp, or address"),
        ("{gateway: 192.168.7.1}", "network: dhcp, or address"),
        ("{address: 192.168.7.20/24, wifi: casino}", "network: dhcp, or address"),
        ("{address: 192.168.7.20}", "with the length of its network, as 192.168.7.20/24"),
        ("{address: 192.168.7.300/24}", "192.168.7.300"),
        ("{address: 192.168.7.20/24, gateway: 192.168.8.1}", "192.168.8.1 is not in 192.168.7.0/24"),
        ("{address: 192.168.7.20/24, dns: name}", "'name'"),
    ],
)
def test_a_wrong_network_is_refused_by_name(tmp_path: Path, network: str, says: str) -> None:
    (tmp_path / "first-start.yaml").write_text(f"game: sic-bo\nnetwork: {network}\n")
    with pytest.raises(first_start.RefusedError, match=says) as refused:
        first_start.network_text(tmp_path)
    assert refused.value.flashes == first_start.WRONG_FILE


def test_the_network_is_handed_on_at_each_start(tmp_path: Path) -> None:
    settings, run = tmp_path / "settings", tmp_path / "run"
    settings.mkdir()
    command = [str(IMAGE / "root/usr/lib/table-image/network")]
    places = {**os.environ, "SETTINGS": str(settings), "RUN": str(run)}
    subprocess.run(command, env=places, check=True)
    assert not run.exists(), "by DHCP, there is nothing to hand on"
    (settings / first_start.WIRED).write_text("[Match]\n")
    for _ in range(2):
        subprocess.run(command, env=places, check=True)
    (handed,) = (run / "systemd/network").iterdir()
    assert handed.read_text() == "[Match]\n"
    own = IMAGE / "root/etc/systemd/network/80-wired.network"
    assert handed.name < own.name, "the first by name counts"


class Ramdisk:
    """What the initial ramdisk's functions say, with files in place of devices."""

    def __init__(self, folder: Path) -> None:
        self.sys, self.dev, self.line = folder / "sys", folder / "dev", folder / "cmdline"
        self.sys.mkdir()
        self.dev.mkdir()
        self.line.write_text("quiet table.root=6 table.hash=00ff rauc.slot=A\n")

    def disk(
        self, name: str, mark: int, sectors: int = 4_194_304, data: tuple[int, int] = (1_871_872, 262_144)
    ) -> None:
        (self.dev / name).write_bytes(bytes(440) + struct.pack("<I", mark) + bytes(68))
        folder = self.sys / "block" / name
        part = folder / (f"{name}p3" if name[-1].isdigit() else f"{name}3")
        part.mkdir(parents=True)
        (folder / "size").write_text(f"{sectors}\n")
        for key, value in zip(("start", "size"), data, strict=True):
            (part / key).write_text(f"{value}\n")

    def run(self, command: str) -> subprocess.CompletedProcess[str]:
        places = {"SYS": str(self.sys), "DEV": str(self.dev), "CMDLINE": str(self.line)}
        shell = ["busybox", "sh"] if needs["busybox"] else ["sh"]
        return subprocess.run(
            [*shell, "-c", f'. "{IMAGE}/initrd/functions"; {command}'],
            env=os.environ | places,
            capture_output=True,
            text=True,
            check=False,
        )

    def says(self, command: str) -> str:
        done = self.run(command)
        assert done.returncode == 0, done.stderr
        return done.stdout.strip()


@pytest.fixture
def ramdisk(tmp_path: Path) -> Ramdisk:
    return Ramdisk(tmp_path)


def test_the_card_is_found_by_its_mark_whatever_it_is_called(ramdisk: Ramdisk) -> None:
    ramdisk.disk("mmcblk0", 0x12345678)
    ramdisk.disk("sda", boot_state.CARD_ID)
    assert ramdisk.says("find_card") == "sda"


def test_no_other_disk_is_taken_for_the_card(ramdisk: Ramdisk) -> None:
    ramdisk.disk("mmcblk0", 0x12345678)
    assert ramdisk.run("find_card").returncode == 1


def test_partitions_are_called_as_the_kernel_calls_them(ramdisk: Ramdisk) -> None:
    assert ramdisk.says("part mmcblk1 3") == "mmcblk1p3"
    assert ramdisk.says("part sda 3") == "sda3"


def test_the_rest_of_a_larger_card_is_unused_at_first(ramdisk: Ramdisk) -> None:
    ramdisk.disk("mmcblk0", boot_state.CARD_ID)
    assert ramdisk.says("unused_sectors mmcblk0") == str(4_194_304 - 1_871_872 - 262_144)


@pytest.mark.skipif(not needs["sfdisk"], reason="sfdisk: apt-get install fdisk")
@pytest.mark.parametrize(("sectors", "grown"), [(4_194_304, True), (2_134_016 + 32_767, False)])
def test_the_data_takes_the_rest_of_the_card(ramdisk: Ramdisk, sectors: int, grown: bool) -> None:
    ramdisk.disk("mmcblk0", boot_state.CARD_ID, sectors)
    card = ramdisk.dev / "mmcblk0"
    with card.open("r+b") as file:
        file.truncate(sectors * 512)
    tools = os.environ["PATH"] + ":/usr/sbin:/sbin"
    layout = (IMAGE / "layout").read_text()
    subprocess.run(["sfdisk", "--quiet", str(card)], input=layout, text=True, check=True, env={"PATH": tools})
    # The kernel knows no partitions of a file: partx is what would report the new size to it.
    ramdisk.says(f"PATH={tools}; partx() {{ :; }}; grow_partition mmcblk0")
    dump = subprocess.run(
        ["sfdisk", "--dump", str(card)], text=True, check=True, capture_output=True, env={"PATH": tools}
    )
    size = sectors - 1_871_872 if grown else 262_144
    assert f"mmcblk0p3 : start=     1871872, size= {size:>11}" in dump.stdout
    assert "label-id: 0x7ab1e001" in dump.stdout


def test_the_root_is_checked_by_what_the_slot_says_of_it(ramdisk: Ramdisk) -> None:
    table = "0 80 verity 1 /dev/x /dev/x 4096 4096 10 11 sha256 00ff aa 1 restart_on_corruption"
    assert ramdisk.says("verity_table /dev/x 10 $(option table.hash) aa") == table


@pytest.mark.parametrize("words", ["'' '' ''", "10 '' ''", "10 00ff ''", "10 '00ff ignore_corruption' aa"])
def test_without_a_hash_there_is_no_root(ramdisk: Ramdisk, words: str) -> None:
    assert ramdisk.run(f"verity_table /dev/x {words}").returncode == 1


@pytest.mark.skipif(not needs["mkimage"], reason="mkimage: apt-get install u-boot-tools")
def test_the_boot_script_is_the_same_bytes_each_time(tmp_path: Path) -> None:
    for name in ("one", "two"):
        command = [
            "mkimage",
            "-A",
            "arm64",
            "-T",
            "script",
            "-C",
            "none",
            "-d",
            str(IMAGE / "card/boot.cmd"),
            str(tmp_path / name),
        ]
        subprocess.run(command, check=True, capture_output=True, env=os.environ | {"SOURCE_DATE_EPOCH": "1"})
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()


@pytest.mark.parametrize("file", ["build", "build-system", "install-table"])
def test_the_scripts_are_well_formed(file: str) -> None:
    subprocess.run(["bash", "-n", str(IMAGE / file)], check=True)


@pytest.mark.parametrize(
    "file",
    ["initrd/init", "initrd/functions", "root/usr/lib/table-image/blink", "root/usr/lib/table-image/mark-good"],
)
def test_the_cards_scripts_are_well_formed(file: str) -> None:
    subprocess.run(["sh", "-n", str(IMAGE / file)], check=True)


def test_the_page_on_the_card_names_every_game() -> None:
    page = (IMAGE / "card/README.txt").read_text()
    assert [file.stem for file in sorted(TABLES.glob("*.yaml")) if file.stem not in page] == []


def partitions() -> dict[int, tuple[int, int]]:
    """First sector and length of each partition, as the layout has them."""
    lines = [line for line in (IMAGE / "layout").read_text().splitlines() if " : start=" in line]
    numbers = [[int(word) for word in re.findall(r"\d+", line)[:3]] for line in lines]
    return {number: (start, size) for number, start, size in numbers}


def test_no_partition_lies_on_another_or_on_the_slots_state() -> None:
    areas = [(place, 1) for place in boot_state.PLACES]
    areas += [area for number, area in partitions().items() if number != 2]
    areas.sort()
    assert all(start + size <= after for (start, size), (after, _) in pairwise(areas))
    start, size = partitions()[2]
    assert all(start < partitions()[number][0] < start + size for number in (5, 6, 7, 8))


def test_the_data_is_the_last_partition_and_the_slots_are_alike() -> None:
    areas = partitions()
    assert max(areas.values()) == areas[3]
    assert (areas[5][1], areas[6][1]) == (areas[7][1], areas[8][1])
