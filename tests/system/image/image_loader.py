"""The image on a virtual Pi 3 as its firmware starts it: U-Boot chooses a slot; what is counted, what is good."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import NO_WATCHDOG, SHELL
from virtual_pi import Card, VirtualPi

CHOICE = r"table: slot ([AB]) of ([AB ]+), tries left (\d) (\d)"


@pytest.fixture
def card(folder: Path) -> Iterator[Card]:
    card = Card(folder)
    card.put(1, "first-start.yaml", "game: sic-bo\n")
    for boot in (5, 7):
        line = card.take(boot, "slot.env", folder / "slot.env").read_text().strip()
        card.put(boot, "slot.env", f"{line} {NO_WATCHDOG if boot == 5 else SHELL}\n")
    yield card
    card.file.unlink()


def choices(card: Card, folder: Path, starts: int) -> list[tuple[str, ...]]:
    """What the boot loader chose at starts that come to nothing, each of which starts the machine anew."""
    chosen = []
    for _ in range(starts):
        pi = VirtualPi(card, folder, loader=True)
        try:
            chosen.append(pi.wait_for(CHOICE).groups())
            pi.wait_off()
            assert "systemd" not in pi.log
        finally:
            pi.close()
    return chosen


def test_three_bad_starts_fall_back_to_the_other_slot_which_is_marked_good(card: Card, folder: Path) -> None:
    card.change_byte(6, 100)
    assert choices(card, folder, 3) == [("A", "A B", "2", "3"), ("A", "A B", "1", "3"), ("A", "A B", "0", "3")]
    pi = VirtualPi(card, folder, loader=True)
    try:
        assert pi.wait_for(CHOICE).groups() == ("B", "A B", "0", "2")
        pi.wait_for(r"table: slot B on mmcblk0p8, .* V")
        assert "Hit any key" not in pi.log
        print(f"-- slot B's root after {pi.seconds():.0f} s")
        pi.login()
        pi.run("until systemctl is-active -q table-mark-good; do sleep 2; done")
        print(f"-- slot B is good after {pi.seconds():.0f} s")
        # By it gpiozero knows which board this is.
        assert pi.run("od -An -tx1 /proc/device-tree/system/linux,revision").split() == "00 a0 20 82".split()
        assert re.search("^BOOT_B_LEFT=3$", pi.run("fw_printenv"), re.MULTILINE)
    finally:
        pi.close()
    assert b"BOOT_B_LEFT=3\0" in card.sectors(0x800)
    assert card.sectors(0x800) == card.sectors(0x1000)


def test_a_torn_first_copy_of_the_state_is_read_from_the_second(card: Card, folder: Path) -> None:
    card.change_byte(6, 100)
    choices(card, folder, 1)
    with card.file.open("r+b") as file:
        file.seek(0x800 * 512 + 20)
        file.write(b"????")
    assert choices(card, folder, 1) == [("A", "A B", "1", "3")]
