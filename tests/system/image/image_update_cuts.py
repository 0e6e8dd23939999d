"""The power goes at any write of an update: while it is written, activated, started the first time and found good.

image_update.py has logged each sector that a virtual Pi wrote to its card, from its first start until the update
was good. Cards are rebuilt as a cut may leave them, and read as the next start reads them; a few are started. The
card of QEMU has no cache, and the kernel takes it for one that has none: what was written before is there. Of the
block that was being written, any sectors are, or the first bytes of one.
"""

import os
import random
import subprocess
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest
from card_reader import CardReader, Verdict, boot_files, boot_state, chosen
from conftest import NO_WATCHDOG
from cut_journal import MARK, acknowledged
from disk_log import Write, read_log
from image_loader import CHOICE
from made_bundle import WORK
from update_log import LOGS
from virtual_pi import SECTOR, Card, VirtualPi, parts

CUTS, SEED = int(os.environ.get("CUTS", "150")), int(os.environ.get("SEED", "1"))
BLOCK_BYTES = 1024
STATE = tuple(place * SECTOR for place in boot_state.PLACES)
OLD, NEW = "what the card came with", "the update"


@dataclass(frozen=True, order=True)
class Cut:
    """Where the power goes: after so many writes, and what becomes of the last one."""

    after: int
    kind: str
    """whole: it is there; block: of the block that it ends, any sectors are; torn: its first bytes are."""


class Replay:
    """A card as its writes come, one after another; cuts are visited in order."""

    def __init__(self, work: Path, logs: Path, writes: Sequence[Write], rng: random.Random) -> None:
        self.card, self.writes, self._rng, self._done = work / "card.img", writes, rng, 0
        subprocess.run(["cp", "--sparse=always", str(logs / "install.img"), str(self.card)], check=True)
        known = {OLD: boot_files(WORK / "TABLE-SLOT.vfat"), NEW: boot_files(logs / "boot.img")}
        self.reader = CardReader(self.card, parts(logs / "install.img"), known, work)
        self._marks = [k for k, write in enumerate(writes) if write.data.startswith(MARK)]

    def at(self, cut: Cut) -> Verdict:
        """What the next start finds after a cut."""
        start = self._first_doubtful(cut)
        self.write(range(self._done, start))
        self._done = max(self._done, start)
        with self.card.open("r+b") as card:
            for k in range(self._done, cut.after):
                self._put(card.fileno(), self.writes[k].at, self._kept(self.writes[k], cut.kind))
        durable = self._marks[max(0, bisect_left(self._marks, cut.after) - 1) :][:1]
        relied = acknowledged([self.writes[k] for k in durable if k < cut.after])
        return self.reader.look(relied)

    def _first_doubtful(self, cut: Cut) -> int:
        """The first write of which it is not certain that it is there."""
        if cut.kind == "whole":
            return cut.after
        start = cut.after - 1
        while cut.kind == "block" and start > self._done and self._block(start - 1) == self._block(cut.after - 1):
            start -= 1
        return start

    def _kept(self, write: Write, kind: str) -> bytes:
        """What is there of a write of which it is not certain."""
        if kind == "torn":
            return write.data[: self._rng.randrange(1, 64)]
        return write.data * self._rng.randint(0, 1)

    def _block(self, k: int) -> int:
        """The block of the data's file system that a write is in."""
        return self.writes[k].at // BLOCK_BYTES

    def write(self, numbers: range) -> None:
        """Some of the writes, as they came."""
        with self.card.open("r+b") as card:
            for k in numbers:
                self._put(card.fileno(), self.writes[k].at, self.writes[k].data)

    def _put(self, card: int, at: int, data: bytes) -> None:
        os.pwrite(card, data, at)
        for part, (first, count) in self.reader.parts.items():
            if first <= at // SECTOR < first + count:
                self.reader.written[part] = self.reader.written.get(part, 0) + 1


@dataclass(frozen=True)
class Logged:
    """All writes of an update, and how many of them came before its first start."""

    logs: Path
    writes: list[Write]
    install: int

    def replay(self, work: Path, writes: list[Write] | None = None) -> Replay:
        return Replay(work, self.logs, self.writes if writes is None else writes, random.Random(SEED))


@cache
def logged() -> Logged:
    for name in ("install", "first-start"):
        if not (LOGS / f"{name}.log").exists():
            pytest.fail(f"no log of {name}: run image_update.py first", pytrace=False)
    install, first = (read_log(LOGS / f"{name}.log") for name in ("install", "first-start"))
    return Logged(LOGS, install + first, len(install))


@pytest.fixture
def update() -> Logged:
    return logged()


def cuts(update: Logged, rng: random.Random) -> list[Cut]:
    """All of the slots' state, and of the rest as many as CUTS says, half of them where the data is written."""
    writes, kinds = update.writes, ("whole", "block", "torn")
    state = [k + 1 for k, write in enumerate(writes) if write.data and write.at in STATE]
    found = {Cut(k, kind) for k in state for kind in ("whole", "torn")}
    first, _ = parts(update.logs / "install.img")[3]
    data = [k for k, write in enumerate(writes) if k and (write.at >= first * SECTOR or write.at < SECTOR)]
    for source in (data, range(1, len(writes) + 1)):
        found |= {Cut(rng.choice(source), rng.choice(kinds)) for _ in range(CUTS // 2)}
    return [*sorted(found), Cut(len(writes), "whole")]


def test_the_log_is_all_that_was_written(update: Logged, tmp_path: Path) -> None:
    replay = update.replay(tmp_path)
    replay.write(range(update.install))
    same = ["cmp", str(replay.card), str(update.logs / "first-start.img")]
    assert subprocess.run(same, check=False).returncode == 0


def test_one_slot_starts_and_nothing_is_lost_wherever_the_power_goes(update: Logged, tmp_path: Path) -> None:
    replay, found, seen = update.replay(tmp_path), [], Counter[tuple[str, ...]]()
    visited = cuts(update, random.Random(SEED))
    for cut in visited:
        verdict = replay.at(cut)
        seen[cut.kind, verdict.slot, verdict.version] += 1
        if verdict.problems or not verdict.version:
            found.append((cut, verdict))
    relied = list(acknowledged(update.writes))
    print(f"-- {len(update.writes)} writes, {len(visited)} cuts, seed {SEED}, {relied[0]} entries relied upon")
    for key, count in sorted(seen.items()):
        print(f"-- {count} {', '.join(key)}")
    assert found == []
    assert verdict.version == NEW, "without a cut, the update is there"


def too_early(update: Logged, by: int) -> tuple[list[Write], int]:
    """The same writes, but slot B is put first before the last of its root are on the card; where that is."""
    writes, (first, count) = update.writes, parts(update.logs / "install.img")[8]
    slot = [k for k, write in enumerate(writes) if write.data and first <= write.at // SECTOR < first + count]
    place = slot[-by]
    state = [k for k in range(place, len(writes)) if writes[k].at in STATE and b"BOOT_ORDER=B A" in writes[k].data]
    moved = set(state[: len(STATE)])
    early = [writes[k] for k in sorted(moved)]
    rest = [writes[k] for k in range(place, len(writes)) if k not in moved]
    return [*writes[:place], *early, *rest], place + len(early)


@pytest.mark.parametrize("by", [20_000, 2_000, 1])
def test_a_slot_that_is_put_first_too_early_is_found(tmp_path: Path, by: int) -> None:
    """The control: an update whose slot is activated before it is on the card does not pass."""
    update = logged()
    wrong, at = too_early(update, by)
    verdict = update.replay(tmp_path, wrong).at(Cut(at, "whole"))
    assert verdict.slot == "B"
    assert verdict.problems


def delicate(writes: Sequence[Write]) -> dict[str, Cut]:
    """The cuts that are started for real."""
    first = [k for k, write in enumerate(writes) if write.at == STATE[0]]
    order = next(k for k in first if b"BOOT_ORDER=B A" in writes[k].data)
    tries = next(k for k in first if k > order and b"BOOT_B_LEFT=2" in writes[k].data)
    return {
        "the first bytes of the sector that puts slot B first": Cut(order + 1, "torn"),
        "slot B is first in one of two places": Cut(order + 1, "whole"),
        "U-Boot has counted the first try in one of two places": Cut(tries + 1, "whole"),
    }


@pytest.mark.parametrize("number", range(3))
def test_a_card_after_a_cut_starts_as_it_was_read(folder: Path, tmp_path: Path, number: int) -> None:
    update = logged()
    what, cut = list(delicate(update.writes).items())[number]
    verdict = update.replay(tmp_path).at(cut)
    card = Card(folder, image=tmp_path / "card.img")
    for boot in (5, 7):
        line = card.take(boot, "slot.env", tmp_path / "slot.env").read_text().strip()
        card.put(boot, "slot.env", f"{line} {NO_WATCHDOG}\n")
    pi = VirtualPi(card, folder, loader=True)
    try:
        assert pi.wait_for(CHOICE)[1] == verdict.slot == chosen(boot_state.read(tmp_path / "card.img"))
        pi.wait_for(rf"table: slot {verdict.slot} on mmcblk0p\d, .* V")
        print(f"-- {what}: slot {verdict.slot} is open after {pi.seconds():.0f} s")
    finally:
        pi.close()
        card.file.unlink()
