#!/usr/bin/python3
"""Which slot starts, and how many tries each has left: ``fw_printenv NAME``, ``fw_setenv NAME VALUE``, by which
RAUC reads and writes it. Two copies lie before the card's first partition; boot.cmd is the boot loader's side.

A copy is a sector as U-Boot exports it: CRC-32 of the rest, then ``NAME=VALUE`` and a zero byte each, then zeros.
"""

import os
import struct
import sys
import zlib
from pathlib import Path

CARD_ID = 0x7AB1E001
SECTOR = 512
PLACES = (0x800, 0x1000)
"""The copies' sectors, in the order in which they are written and looked for."""
DEFAULT = {"BOOT_ORDER": "A B", "BOOT_A_LEFT": "3", "BOOT_B_LEFT": "3"}


def packed(state: dict[str, str]) -> bytes:
    """A copy, as it lies on the card."""
    text = b"".join(f"{name}={value}".encode() + b"\0" for name, value in sorted(state.items()))
    if len(text) + 1 > SECTOR - 4:
        raise ValueError("the state does not fit into a sector")
    body = text.ljust(SECTOR - 4, b"\0")
    return struct.pack("<I", zlib.crc32(body)) + body


def unpacked(copy: bytes) -> dict[str, str] | None:
    """What a copy says; None if it is not whole."""
    if len(copy) != SECTOR or struct.unpack_from("<I", copy)[0] != zlib.crc32(copy[4:]):
        return None
    lines = copy[4:].split(b"\0\0")[0].split(b"\0")
    return dict(line.decode().split("=", 1) for line in lines if b"=" in line)


def read(card: Path) -> dict[str, str]:
    """The state by the first copy that is whole; as the boot loader has it where none is."""
    with card.open("rb") as device:
        for place in PLACES:
            device.seek(place * SECTOR)
            state = unpacked(device.read(SECTOR))
            if state is not None:
                return DEFAULT | state
    return dict(DEFAULT)


def write(card: Path, state: dict[str, str]) -> None:
    """Both copies, each on the card before the next is begun: whenever the power goes, one of them is whole."""
    copy = packed(state)
    device = os.open(card, os.O_WRONLY)
    try:
        for place in PLACES:
            os.pwrite(device, copy, place * SECTOR)
            os.fsync(device)
    finally:
        os.close(device)


def find_card() -> Path:
    """The disk with the image's mark."""
    for folder in sorted(Path("/sys/block").iterdir()):
        device = Path("/dev") / folder.name
        if folder.name.startswith(("loop", "ram", "dm-")) or not device.exists():
            continue
        with device.open("rb") as disk:
            disk.seek(440)
            if disk.read(4) == struct.pack("<I", CARD_ID):
                return device
    raise FileNotFoundError("no card of a table is here")


def main(words: list[str]) -> int:
    """Do as the program by whose name this one is called."""
    program, *names = words
    card = find_card()
    state = read(card)
    if Path(program).name == "fw_setenv":
        if len(names) not in (1, 2) or names[0] not in DEFAULT:
            print(f"fw_setenv: it takes one of {', '.join(DEFAULT)}, and a value", file=sys.stderr)
            return 2
        write(card, state | {names[0]: " ".join(names[1:])})
        return 0
    bare = names[:1] == ["-n"]
    for name in names[bare:] or sorted(state):
        if name not in state:
            print(f'## Error: "{name}" not defined', file=sys.stderr)
            return 1
        print(state[name] if bare else f"{name}={state[name]}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv))
