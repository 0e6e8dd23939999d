"""Records that are rewritten, and where an audit names it: ``tests/campaigns/test_rewrite_campaign.py`` plays it.

Tables of all games play on simulated hardware. Their publisher sends the entries in batches, table and floor sign
each, and the last entries wait for a floor that is away. Then comes somebody who is root on the table, has its key,
and rewrites the record at random places (:mod:`campaigns.rewrites`) with all hashes, and signs every batch anew.
Each rewritten journal is audited

- by receipts: those that the floor signed, among those of the attacker;
- with the floor's entries as well;
- after the attacker replaced every receipt from there on by one of his own, with the newest one from the broker:
  alone, and with the floor's entries.

Rewrites of entries after the last receipt are counted apart. Nobody else has seen those: no audit may name an
entry, and each must say from where on only the table vouches.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from campaigns.rewrites import REWRITES
from played import Played
from signed_record import Keys, chained, write_journal

from controller.journal.chain import Entry
from controller.signing.audit import Verdict
from controller.signing.evidence import entries_of
from controller.signing.receipts import Receipt

MEMORY = Path("/dev/shm")
ROUNDS, MOST_OF_BATCH, UNSENT = 12, 5, 8


@dataclass(slots=True)
class Rewritten:
    """What was counted.

    Attributes:
        places: rewrites at or before a receipt, by game and kind.
        same: rewrites that came to the same record.
        exact: audits that named the one entry, by evidence.
        spans: entries that an audit by receipts named as possible, by how many.
        missed: audits that named nothing, or another entry.
        tail: rewrites after the last receipt.
        tail_named: those in which an audit named an entry, or vouched for too much.
    """

    places: Counter[tuple[str, str]] = field(default_factory=Counter)
    same: int = 0
    exact: Counter[str] = field(default_factory=Counter)
    spans: Counter[int] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    tail: int = 0
    tail_named: list[str] = field(default_factory=list)


class Victim:
    """One record as it was signed, and the files that an attacker makes of it."""

    def __init__(self, game: str, folder: Path, chance: random.Random) -> None:
        self._folder, self._chance, self._keys = folder, chance, Keys(folder)
        played = Played(game, folder / "table.journal", ROUNDS, fault_rate=0.2)
        self.entries = list(played.journal.entries())
        played.finish()
        self.ends = self._ends(len(self.entries) - UNSENT)
        self._receipts = [self._keys.receipt(self.entries, seq) for seq in self.ends]

    def _ends(self, until: int) -> list[int]:
        ends = [0]
        while ends[-1] < until:
            ends.append(min(ends[-1] + self._chance.randint(1, MOST_OF_BATCH), until))
        return ends[1:]

    def audits(self, false: Sequence[Entry], fitting: int) -> dict[str, Verdict]:
        """What audits say of a rewritten journal, by the evidence that they have."""
        journal = write_journal(self._folder / "false.journal", false)
        own = []
        for seq in sorted({*self._ends(len(false)), len(false)}):
            head = self._keys.head(false, seq)
            own.append(head._replace(receipt=head.head))
        kept = [one for one in self._receipts if one.seq <= fitting]
        have = self._receipts[-1]._replace(table="", head=None)

        def audit(receipts: Sequence[Receipt], copy: Sequence[Entry] = ()) -> Verdict:
            mixed = [*receipts, *own]
            self._chance.shuffle(mixed)
            return self._keys.audit(entries_of(journal), mixed, copy)

        return {
            "receipts": audit(self._receipts),
            "receipts, floor's entries": audit(self._receipts, self.entries),
            "newest receipt": audit([*kept, have]),
            "newest receipt, floor's entries": audit([*kept, have], self.entries),
        }


def rewrite_some(game: str, seed: int, places: int) -> Rewritten:
    """Rewrite a game's record at so many places, and see what audits name."""
    counted, chance = Rewritten(), random.Random(f"{game} {seed}")
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        victim = Victim(game, Path(folder), chance)
        for number in range(places):
            kind = list(REWRITES)[number % len(REWRITES)]
            at = chance.randrange(len(victim.entries))
            changed = REWRITES[kind](victim.entries, at, chance)
            fitting = _alike(victim.entries, changed)
            where = f"{game}, seed {seed}, {number}: {kind}, from entry {fitting + 1}"
            if fitting == len(victim.entries) == len(changed):
                counted.same += 1
            elif fitting < victim.ends[-1]:
                counted.places[game, kind] += 1
                _named(victim, chained(changed, fitting), fitting, counted, where)
            else:
                counted.tail += 1
                _tail(victim, chained(changed, fitting), fitting, counted, where)
    return counted


def _named(victim: Victim, false: list[Entry], fitting: int, counted: Rewritten, where: str) -> None:
    """A rewrite that a receipt covers: every audit names it, with the floor's entries exactly."""
    first = fitting + 1
    before = max((end for end in victim.ends if end <= fitting), default=0)
    after = min(end for end in victim.ends if end > fitting)
    for evidence, verdict in victim.audits(false, fitting).items():
        found = verdict.finding
        exactly = found is not None and found.first == found.last == first
        counted.exact[evidence] += exactly
        right = found is not None and found.first <= first <= found.last and verdict.proven <= fitting
        if evidence == "receipts" and found is not None:
            counted.spans[found.last - found.first + 1] += 1
            right = right and before < found.first and found.last <= after
        if not right or ("entries" in evidence and not exactly):
            counted.missed.append(f"{where}; by {evidence}: {found}")


def _tail(victim: Victim, false: list[Entry], fitting: int, counted: Rewritten, where: str) -> None:
    for evidence, verdict in victim.audits(false, fitting).items():
        if verdict.finding is not None or verdict.proven != victim.ends[-1]:
            counted.tail_named.append(f"{where}; by {evidence}: {verdict}")


def _alike(one: Sequence[Entry], other: Sequence[Entry]) -> int:
    """How many entries at the beginning say the same in both."""
    differing = (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0][:7] != pair[1][:7])
    return next(differing, min(len(one), len(other)))
