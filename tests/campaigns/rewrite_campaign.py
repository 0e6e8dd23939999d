"""Records that are rewritten, and where an audit names it: ``python -m campaigns.rewrite_campaign --places N``.

Tables of all games play on simulated hardware. Their publisher sends the entries in batches, table and floor sign
each, and the last entries wait for a floor that is away. Then comes somebody who is root on the table, has its key,
and rewrites the record at random places with all hashes, and signs every batch anew.
Each rewritten journal is audited

- by receipts: those that the floor signed, among those of the attacker;
- with the floor's entries as well;
- after the attacker replaced every receipt from there on by one of his own, with the newest one from the broker:
  alone, and with the floor's entries.

Rewrites of entries after the last receipt are counted apart. Nobody else has seen those: no audit may name an
entry, and each must say from where on only the table vouches.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path

from campaigns import running
from faulty_dealer import DealerAmongFaults, FaultSettings
from signed_record import Keys
from tampering import chained, write_journal

from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.journal.chain import Entry
from controller.machine.registry import game_names
from controller.signing.audit import Verdict, entries_of
from controller.signing.receipts import Receipt

ROUNDS, MOST_OF_BATCH, UNSENT = 12, 5, 8


@dataclass
class Tally(running.Tally):
    """What was counted.

    Attributes:
        covered: rewrites at or before a receipt, by kind.
        missed: audits of them that named nothing, or another entry.
        tail: rewrites after the last receipt.
        tail_named: those in which an audit named an entry, or vouched for too much.
    """

    covered: Counter[str] = field(default_factory=Counter)
    missed: list[str] = field(default_factory=list)
    tail: int = 0
    tail_named: list[str] = field(default_factory=list)


# -- rewrites ----------------------------------------------------------------------------------------------------


def _changed(entries: list[Entry], at: int, **fields: object) -> list[Entry]:
    return [*entries[:at], entries[at]._replace(**fields), *entries[at + 1 :]]


def _text(entries: list[Entry], at: int, chance: random.Random, effect: str) -> list[Entry]:
    """The next entry with such an effect says something else."""
    order = (*range(at, len(entries)), *range(at))
    at = next((number for number in order if f'"kind":"{effect}"' in entries[number].body), at)
    place = chance.randrange(len(entries[at].body))
    body = f"{entries[at].body[:place]}{chance.randint(0, 9)}{entries[at].body[place + 1 :]}"
    return _changed(entries, at, body=body if body != entries[at].body else f"{body} ")


def _times(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """Another time, on the wall or on the clock of the table."""
    later = entries[at].at_ns + chance.randint(1, 1_000_000_000)
    return _changed(entries, at, **chance.choice(({"at_ns": later}, {"utc": "2026-07-01T00:00:00.000Z"})))


def _round_out(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """A whole round that was taken out; those after it are numbered anew."""
    number = entries[at].round
    left = [entry for entry in entries if entry.round != number]
    return [entry._replace(round=entry.round - (entry.round > number)) for entry in left]


def _rounds_swapped(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """What two rounds say, the one for the other; of the last round, backwards."""
    number = entries[at].round
    rounds = [[entry for entry in entries if entry.round == one] for one in range(entries[-1].round + 1)]
    if number + 1 == len(rounds):
        rounds[number].reverse()
    else:
        rounds[number : number + 2] = [
            [entry._replace(round=one) for entry in rounds[other]]
            for one, other in ((number, number + 1), (number + 1, number))
        ]
    return [entry for one in rounds for entry in one]


Rewrite = Callable[[list[Entry], int, random.Random], list[Entry]]
REWRITES: Mapping[str, Rewrite] = {
    "results": lambda entries, at, chance: _text(entries, at, chance, "result"),
    "voids": lambda entries, at, chance: _text(entries, at, chance, "void"),
    "checkpoints": lambda entries, at, chance: _changed(entries, at, checkpoint=f'{{"dealer":{chance.random()}}}'),
    "times": _times,
    "entry taken out": lambda entries, at, chance: [*entries[:at], *entries[at + 1 :]],
    "entry put in": lambda entries, at, chance: [*entries[:at], chance.choice(entries), *entries[at:]],
    "round taken out": _round_out,
    "rounds swapped": _rounds_swapped,
    "tails": lambda entries, at, chance: entries[: max(1, at)],
    "heads": lambda entries, at, chance: _changed(entries, 0, at_ns=entries[0].at_ns + chance.randint(1, 10**9)),
}
"""Takes the entries, the number of one (from 0) and chance; gives the record as the attacker wants it. All of it is
then numbered and hashed anew."""


# -- audits ------------------------------------------------------------------------------------------------------


class Victim:
    """One record as it was signed, and the files that an attacker makes of it."""

    def __init__(self, game: str, folder: Path, chance: random.Random) -> None:
        self._folder, self._chance, self._keys = folder, chance, Keys(folder)
        oracle = Oracle()
        with closing(Rig(load_table(table_path(game)).config, listeners=(oracle,))) as table:
            DealerAmongFaults(table, random.Random(1), oracle, FaultSettings(rate=0.2)).play(ROUNDS)
            self.entries = list(table.journal.entries())
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

    def named(self, verdict: Verdict, evidence: str, fitting: int) -> bool:
        """Whether an audit names a rewrite that a receipt covers; with the floor's entries, exactly."""
        first, found = fitting + 1, verdict.finding
        if found is None or not found.first <= first <= found.last or verdict.proven > fitting:
            return False
        if evidence == "receipts":
            before = max((end for end in self.ends if end <= fitting), default=0)
            return before < found.first and found.last <= min(end for end in self.ends if end > fitting)
        return "entries" not in evidence or found.first == found.last


def rewrite_some(part: tuple[str, int, int]) -> Tally:
    """Rewrite a game's record, with chance from a seed, at so many places, and see what audits name."""
    game, seed, places = part
    tally, chance = Tally(), random.Random(f"{game} {seed}")
    with running.in_memory() as folder:
        victim = Victim(game, Path(folder), chance)
        for number in range(places):
            kind = list(REWRITES)[number % len(REWRITES)]
            changed = REWRITES[kind](victim.entries, chance.randrange(len(victim.entries)), chance)
            pairs = zip(victim.entries, changed, strict=False)
            differing = (at for at, (one, other) in enumerate(pairs) if one[:7] != other[:7])
            fitting = next(differing, min(len(victim.entries), len(changed)))
            if fitting == len(victim.entries) == len(changed):
                continue
            verdicts = victim.audits(chained(changed, fitting), fitting)
            where = f"{game}, seed {seed}, {number}: {kind}, from entry {fitting + 1}; by "
            if fitting < victim.ends[-1]:
                tally.covered[kind] += 1
                missed = {by: one for by, one in verdicts.items() if not victim.named(one, by, fitting)}
                tally.missed += [f"{where}{by}: {one}" for by, one in missed.items()]
            else:
                tally.tail += 1
                for by, one in verdicts.items():
                    if one.finding is not None or one.proven != victim.ends[-1]:
                        tally.tail_named.append(f"{where}{by}: {one}")
    return tally


def main() -> int:
    """Run the campaign; 1 if an audit did not name a rewrite, or named another entry."""
    parser = running.command_line("rewrite_campaign", __doc__, tuple(game_names()))
    parser.add_argument("--places", type=int, default=170, metavar="N", help="of each record (default 170)")
    chosen = parser.parse_args()
    parts = [(game, chosen.seed, chosen.places) for game in chosen.games]
    tally = running.run(rewrite_some, parts, Tally(), chosen)
    covered, missed = tally.covered.total(), tally.missed
    print(f"{covered} rewrites that a receipt covers, not named: {len(missed)}", *missed, sep="\n  ")
    print(f"{tally.tail} after the last receipt, named: {len(tally.tail_named)}", *tally.tail_named, sep="\n  ")
    return 1 if missed or tally.tail_named else 0


if __name__ == "__main__":
    sys.exit(main())
