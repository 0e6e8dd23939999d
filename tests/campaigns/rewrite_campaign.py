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

import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from campaigns import running
from played import Played
from signed_record import Keys, chained, write_journal

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
    return [*entries[:at], entries[at]._replace(**fields), *entries[at + 1 :]]  # type: ignore[arg-type]


def _json(plain: object) -> str:
    return json.dumps(plain, ensure_ascii=False, separators=(",", ":"))


def _nearest(entries: Sequence[Entry], at: int, has: Callable[[Entry], bool]) -> int:
    """The next such entry from a place on, around the end if needed. The place if there is none."""
    order = (*range(at, len(entries)), *range(at))
    return next((number for number in order if has(entries[number])), at)


def results(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """Another result than the one that was decided."""
    at = _nearest(entries, at, lambda entry: '"kind":"result"' in entry.body)
    body = json.loads(entries[at].body)
    effects = [one for one in body["effects"] if one.get("kind") == "result"] or body["effects"]
    if effects:
        effects[0]["text"] = f"{effects[0].get('text', '')}{chance.randint(1, 6)}"
    else:
        body["outcome"] = f"{body['outcome']} "
    return _changed(entries, at, body=_json(body))


def dealers(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """Another dealer, in what the record says of the table from there on."""
    at = _nearest(entries, at, lambda entry: entry.checkpoint is not None)
    kept = json.loads(entries[at].checkpoint or "")
    kept.setdefault("standing", {})["dealer"] = f"dealer-{chance.randint(100, 999)}"
    return _changed(entries, at, checkpoint=_json(kept))


def voids(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """A void that was taken out, or one that never was."""
    at = _nearest(entries, at, lambda entry: '"kind":"void"' in entry.body)
    body = json.loads(entries[at].body)
    left = [one for one in body["effects"] if one.get("kind") != "void"]
    if len(left) == len(body["effects"]):
        left.append({"kind": "void", "reason": chance.choice(("no-spin", "ball-lost"))})
    body["effects"] = left
    return _changed(entries, at, body=_json(body))


def times(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """Another time, on the wall or on the clock of the table."""
    entry = entries[at]
    if chance.random() < 0.5:
        return _changed(entries, at, at_ns=entry.at_ns + chance.randint(1, 1_000_000_000))
    digit = chance.choice([digit for digit in "0123456789" if digit != entry.utc[-2]])
    return _changed(entries, at, utc=f"{entry.utc[:-2]}{digit}Z")


def entry_out(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """An entry that was taken out."""
    return [*entries[:at], *entries[at + 1 :]]


def entry_in(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """An entry that was put in, another one of the record's."""
    return [*entries[:at], chance.choice(entries), *entries[at:]]


def round_out(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """A whole round that was taken out; those after it are numbered anew."""
    number = entries[at].round
    left = [entry for entry in entries if entry.round != number]
    return [entry._replace(round=entry.round - (entry.round > number)) for entry in left]


def rounds_swapped(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """What two rounds say, the one for the other."""
    number = entries[at].round
    first = [entry for entry in entries if entry.round == number]
    second = [entry for entry in entries if entry.round == number + 1]
    before = [entry for entry in entries if entry.round < number]
    after = [entry for entry in entries if entry.round > number + 1]
    if not second:
        return [*before, *first[::-1]]
    moved = [entry._replace(round=number) for entry in second]
    moved += [entry._replace(round=number + 1) for entry in first]
    return [*before, *moved, *after]


def tails(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """A record that ends earlier."""
    return entries[: max(1, at)]


def heads(entries: list[Entry], at: int, chance: random.Random) -> list[Entry]:
    """Another first entry, and so another record, that of the attacker from the beginning."""
    return _changed(entries, 0, at_ns=entries[0].at_ns + chance.randint(1, 1_000_000_000))


REWRITES: dict[str, Callable[[list[Entry], int, random.Random], list[Entry]]] = {
    "results": results,
    "dealers": dealers,
    "voids": voids,
    "times": times,
    "entry taken out": entry_out,
    "entry put in": entry_in,
    "round taken out": round_out,
    "rounds swapped": rounds_swapped,
    "tails": tails,
    "heads": heads,
}
"""Takes the entries, the number of one (from 0) and chance; gives the record as the attacker wants it. All of it is
then numbered and hashed anew."""


# -- audits ------------------------------------------------------------------------------------------------------


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


def rewrite_some(part: tuple[str, int, int]) -> Tally:
    """Rewrite a game's record, with chance from a seed, at so many places, and see what audits name."""
    game, seed, places = part
    tally, chance = Tally(), random.Random(f"{game} {seed}")
    with running.in_memory() as folder:
        victim = Victim(game, Path(folder), chance)
        for number in range(places):
            kind = list(REWRITES)[number % len(REWRITES)]
            at = chance.randrange(len(victim.entries))
            changed = REWRITES[kind](victim.entries, at, chance)
            fitting = _alike(victim.entries, changed)
            where = f"{game}, seed {seed}, {number}: {kind}, from entry {fitting + 1}"
            if fitting == len(victim.entries) == len(changed):
                continue
            verdicts = victim.audits(chained(changed, fitting), fitting)
            if fitting < victim.ends[-1]:
                tally.covered[kind] += 1
                tally.missed += [
                    f"{where}; by {by}: {it}" for by, it in verdicts.items() if not _named(victim, it, by, fitting)
                ]
            else:
                tally.tail += 1
                for evidence, verdict in verdicts.items():
                    if verdict.finding is not None or verdict.proven != victim.ends[-1]:
                        tally.tail_named.append(f"{where}; by {evidence}: {verdict}")
    return tally


def _named(victim: Victim, verdict: Verdict, evidence: str, fitting: int) -> bool:
    """Whether an audit names a rewrite that a receipt covers; with the floor's entries, exactly."""
    first, found = fitting + 1, verdict.finding
    if found is None or not found.first <= first <= found.last or verdict.proven > fitting:
        return False
    if evidence == "receipts":
        before = max((end for end in victim.ends if end <= fitting), default=0)
        after = min(end for end in victim.ends if end > fitting)
        return before < found.first and found.last <= after
    return "entries" not in evidence or found.first == found.last


def _alike(one: Sequence[Entry], other: Sequence[Entry]) -> int:
    """How many entries at the beginning are the same in both, but for their hashes."""
    differing = (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0][:7] != pair[1][:7])
    return next(differing, min(len(one), len(other)))


def main(words: Sequence[str] | None = None) -> int:
    """Run the campaign; 1 if an audit did not name a rewrite, or named another entry."""
    parser = running.command_line("rewrite_campaign", __doc__, tuple(game_names()))
    parser.add_argument(
        "--places", type=int, default=170, metavar="N", help="rewrites of each record (default 170)"
    )
    chosen = parser.parse_args(words)
    parts = [(game, chosen.seed, chosen.places) for game in chosen.games]
    tally = running.run(rewrite_some, parts, Tally(), chosen)
    print(
        f"{tally.covered.total()} rewrites that a receipt covers, not named: {len(tally.missed)}",
        *tally.missed,
        sep="\n  ",
    )
    print(f"{tally.tail} after the last receipt, named: {len(tally.tail_named)}", *tally.tail_named, sep="\n  ")
    return 1 if tally.missed or tally.tail_named else 0


if __name__ == "__main__":
    sys.exit(main())
