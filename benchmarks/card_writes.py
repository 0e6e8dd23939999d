"""What a table writes to its card, counted in blocks of the disk: ``python -m benchmarks.card_writes``, as root.

Two file systems are made in files and mounted: ext4 with blocks of 4096 bytes, as ``mkfs.ext4`` makes it, and with
blocks of 1024. On each every game is played on a journal of its own, with and without the edges of its rounds. The
kernel counts the sectors that reach the disk, those of the file system's own journal among them. How often
the wheel's edges are delivered makes no difference here, nor does time: rounds follow each other at once.
"""

import os
import random
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from benchmarks.report import Measured, main
from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, shipped_tables
from controller.runtime.traced import tracer_of

BLOCKS = (4096, 1024)
IMAGE_MB = 512
WARM_ENTRIES = 1500
"""Entries before the count begins: the file of recent commits is then written over and grows no more."""
ENTRIES = 1500
SECTOR = 512
TARGET_KB = 4.5
TARGET_BLOCK = 1024


class MountError(Exception):
    """A file system could not be made; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Written:
    """What one table wrote.

    Attributes:
        entries: how many were appended meanwhile.
        rounds: how many were played.
        size: bytes that reached the disk.
        requests: writes of the disk.
    """

    entries: int
    rounds: int
    size: int
    requests: int


@contextmanager
def file_system(image: Path, block: int) -> Iterator[tuple[Path, Path]]:
    """A file system of its own.

    Yields:
        where it is mounted, and the file in which the kernel counts what reaches its disk.

    Raises:
        MountError: it cannot be made or mounted.
    """
    mounted = image.with_suffix(".mounted")
    mounted.mkdir()
    with image.open("wb") as file:
        file.truncate(IMAGE_MB << 20)
    _run("mkfs.ext4", "-q", "-F", "-b", str(block), str(image))
    _run("mount", "-o", "loop", str(image), str(mounted))
    try:
        device = os.stat(mounted).st_dev
        yield mounted, Path(f"/sys/dev/block/{os.major(device)}:{os.minor(device)}/stat")
    finally:
        _run("umount", str(mounted))
        image.unlink()


def _run(*words: str) -> None:
    try:
        done = subprocess.run(words, capture_output=True, text=True, check=False)
    except OSError as error:
        raise MountError(f"{words[0]}: {error.strerror}; e2fsprogs and util-linux have these programs") from error
    if done.returncode:
        raise MountError(f"{' '.join(words[:1])}: {done.stderr.strip()}; this needs root and a loop device")


def _counted(stat: Path) -> tuple[int, int]:
    """Writes of the disk so far, and their bytes. Nothing waits to be written then."""
    os.sync()
    figures = [int(figure) for figure in stat.read_text(encoding="ascii").split()]
    return figures[4], figures[6] * SECTOR  # Documentation/block/stat.rst: completed writes, sectors written.


def play(game: str, folder: Path, stat: Path, traced: bool) -> Written:
    """Play a table whose journal lies on the file system."""
    config, file, oracle = load_table(shipped_tables()[game]).config, folder / f"{game}.journal", Oracle()
    rig = Rig(config, file, {"seed": 1}, listeners=(oracle,))
    tracer = tracer_of(rig.table, file, config.journal.trace_rounds) if traced else None
    dealer = Dealer(rig, random.Random(1), oracle)
    while len(rig.journal) < WARM_ENTRIES:
        dealer.act()
    before, entries, rounds = _counted(stat), len(rig.journal), oracle.tally.rounds
    while len(rig.journal) < entries + ENTRIES:
        dealer.act()
    after = _counted(stat)
    written = Written(
        len(rig.journal) - entries, oracle.tally.rounds - rounds, after[1] - before[1], after[0] - before[0]
    )
    rig.table.stop()
    if tracer is not None:
        tracer.close()
    rig.journal.close()
    return written


def measure() -> list[Measured]:
    """Each game on each file system."""
    lines = []
    with TemporaryDirectory() as place:
        for block in BLOCKS:
            for traced in (False, True):
                with file_system(Path(place) / f"card-{block}-{traced}", block) as (folder, stat):
                    lines += [_line(game, block, traced, folder, stat) for game in shipped_tables()]
    return lines


def _line(game: str, block: int, traced: bool, folder: Path, stat: Path) -> Measured:
    print(f"{game}, blocks of {block} ...", file=sys.stderr, flush=True)
    written = play(game, folder, stat, traced)
    kb = written.size / written.entries / 1000
    held = not traced and block == TARGET_BLOCK
    return Measured(
        f"{game}, blocks of {block}{', with edges' if traced else ''}",
        f"{kb:.2f} kB an entry, {written.size / max(1, written.rounds) / 1000:.1f} kB a round",
        f"{written.requests / written.entries:.1f} writes",
        f"at most {TARGET_KB} kB" if held else "",
        kb <= TARGET_KB if held else None,
    )


if __name__ == "__main__":
    try:
        sys.exit(main(measure))
    except MountError as problem:
        sys.exit(f"benchmarks.card_writes: {problem}")
