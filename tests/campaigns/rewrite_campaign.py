"""Records that are rewritten: ``python -m campaigns.rewrite_campaign --places N --seed S``.

Tables of all games play on simulated hardware; their records are signed, and a witness signs them. Then comes
somebody with root on table, floor and database, who has the table's key and not the witness's, and rewrites the
record at random places (:mod:`campaigns.rewrites`), each time with all hashes, and with the table's checkpoints
signed anew. Each rewritten record is held against what is left of the truth:

- *audit*: the evidence that the attacker hands out, with the keys and the witness's own head; - *witness*: the
record's newest checkpoint is presented to be signed; - *table*: what ``journal verify``, the table at its start
and the signer compare, as long as the signer's small file is
  as it was (whoever is root on the table can rewrite that, too).

Two more kinds of rewrite are counted apart, for they are not to be named: of entries after the last checkpoint
that a witness signed, which nobody but the table has seen; and audits without the witness's key.
"""

import json
import os
import random
import sys
import time
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from campaigns.rewrites import REWRITES, chained
from campaigns.rewritten_record import Victim

from controller.bench.workers import spread
from controller.commands.columns import columns
from controller.commands.progress import shown_progress
from controller.journal.chain import Entry
from controller.statechart.registry import game_names

GAMES = tuple(game_names())
AT_ONCE = 400
"""Rewrites of one part of the campaign."""
MEMORY = Path("/dev/shm")


@dataclass(slots=True)
class Rewritten:
    """What was counted. Counts of parts add up to those of the whole."""

    places: Counter[tuple[str, str]] = field(default_factory=Counter)
    """Rewrites of signed entries, by game and kind."""
    same: int = 0
    """Rewrites that came to the same record: nothing was to be named."""
    named: Counter[str] = field(default_factory=Counter)
    """By how many each was named: audit, witness, table."""
    missed: list[str] = field(default_factory=list)
    """Rewrites of what the witness signed that the audit did not name, or the witness signed."""
    tail: int = 0
    tail_named: list[str] = field(default_factory=list)
    """Rewrites after the last witnessed checkpoint, and those that were named although nobody could know."""
    without_witness: int = 0
    """Rewrites that an audit without the witness's key names."""
    without_head: int = 0
    """Rewrites that an audit without the witness's own head names."""

    @property
    def passed(self) -> bool:
        """Every rewrite of what the witness signed was named, and nothing else was."""
        return not (self.missed or self.tail_named)

    def add(self, other: "Rewritten") -> None:
        """Take in another's."""
        self.places.update(other.places)
        self.named.update(other.named)
        self.missed += other.missed
        self.tail_named += other.tail_named
        for name in ("same", "tail", "without_witness", "without_head"):
            setattr(self, name, getattr(self, name) + getattr(other, name))


@dataclass(frozen=True, slots=True)
class RewritePart:
    """Some rewrites of one game's record."""

    game: str
    seed: int
    places: int


def rewrite_some(part: RewritePart) -> Rewritten:
    """Rewrite a record at some places, and see who names it."""
    counted, chance = Rewritten(), random.Random(part.seed)
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        victim = Victim(part.game, Path(folder))
        try:
            for number in range(part.places):
                kind = list(REWRITES)[number % len(REWRITES)]
                _rewrite_signed(victim, kind, chance, counted, f"{part.game}, seed {part.seed}, {number}: {kind}")
            for _ in range(max(1, part.places // 10)):
                _rewrite_tail(victim, chance, counted)
        finally:
            victim.close()
    return counted


def _rewrite_signed(victim: Victim, kind: str, chance: random.Random, counted: Rewritten, where: str) -> None:
    """Rewrite what the witness signed."""
    at = chance.randrange(victim.witnessed)
    changed = REWRITES[kind](victim.entries, at, chance)
    fitting = _alike(victim.entries, changed)
    if fitting >= victim.witnessed:
        counted.same += (
            1  # Two entries that say the same, changed for each other, or one beyond what was witnessed.
        )
        return
    entries = chained(changed, fitting)
    counted.places[victim.game, kind] += 1
    folder = victim.hand_out(entries, fitting)
    problem = victim.audit(folder)
    answer = victim.ask_witness(entries)
    # Another first entry is another record: a witness signs it, and the floor says at once that there is a new one.
    begun = entries[0].hash != victim.entries[0].hash
    refused = bool(answer.alarm) or begun
    counted.named["the floor, as a new record"] += begun
    counted.named["audit"] += bool(problem)
    counted.named["witness"] += bool(answer.alarm) and not begun
    counted.named["table"] += bool(victim.compare(entries))
    counted.without_witness += bool(victim.audit(folder, witness=False))
    counted.without_head += bool(victim.audit(folder, head=False))
    if not problem or not refused:
        counted.missed.append(
            f"{where}, from entry {fitting + 1}: audit says '{problem}', the witness {answer.status}"
        )


def _rewrite_tail(victim: Victim, chance: random.Random, counted: Rewritten) -> None:
    """Rewrite an entry of the round that was open when the attacker came: nobody else has seen it."""
    at = chance.randrange(victim.witnessed, len(victim.entries))
    changed = REWRITES["times"](victim.entries, at, chance)
    entries = chained(changed, at)
    cut = [entry for entry in entries if entry.seq <= victim.witnessed or entry.checkpoint is None]
    cut = cut[: max(victim.witnessed, at + 1)]
    counted.tail += 1
    if problem := victim.audit(victim.hand_out(chained(cut, victim.witnessed), victim.witnessed)):
        counted.tail_named.append(problem)


def _alike(one: Sequence[Entry], other: Sequence[Entry]) -> int:
    """How many entries at the beginning say the same in both."""
    differing = (at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0][:7] != pair[1][:7])
    return next(differing, min(len(one), len(other)))


def campaign(
    places: int, seed: int, workers: int = 1, progress: Callable[[int], None] = lambda places: None
) -> Rewritten:
    """Rewrite the records of all games at so many places.

    Args:
        progress: called with how many places were done since the last call.
    """
    chance = random.Random(seed)
    parts: list[RewritePart] = []
    while places > 0:
        count = min(AT_ONCE, places)
        parts.append(RewritePart(GAMES[len(parts) % len(GAMES)], chance.getrandbits(32), count))
        places -= count
    whole = Rewritten()
    for number, part in spread(rewrite_some, parts, workers):
        whole.add(part)
        progress(parts[number].places)
    return whole


def main(words: Sequence[str] | None = None) -> int:
    """Run the campaign; 1 if a rewrite was not named."""
    parser = ArgumentParser(prog="python -m campaigns.rewrite_campaign", description=__doc__)
    parser.add_argument("--places", type=int, default=10_000, help="rewrites (default 10000)")
    parser.add_argument("--seed", type=int, default=1, help="default 1")
    parser.add_argument(
        "--workers", type=int, default=os.cpu_count() or 1, help="processes (default: the processors)"
    )
    parser.add_argument("--json", action="store_true", help="print JSON")
    arguments = parser.parse_args(words)
    start = time.perf_counter()
    with shown_progress("places", arguments.places) as progress:
        counted = campaign(arguments.places, arguments.seed, arguments.workers, progress)
    seconds = time.perf_counter() - start
    if arguments.json:
        print(json.dumps({**_as_plain(counted), "seconds": round(seconds, 1)}, indent=2))
    else:
        _print(counted, seconds)
    return 0 if counted.passed else 1


def _as_plain(counted: Rewritten) -> dict[str, object]:
    return {
        "rewritten": counted.places.total(),
        "same": counted.same,
        "named": dict(counted.named),
        "missed": counted.missed,
        "without_witness": counted.without_witness,
        "without_head": counted.without_head,
        "tail": counted.tail,
        "tail_named": counted.tail_named,
    }


def _print(counted: Rewritten, seconds: float) -> None:
    print(f"{counted.places.total()} rewrites of what the witness had signed, in {seconds:.0f} s")
    games = sorted({game for game, _ in counted.places})
    rows = [(kind, *(str(counted.places[game, kind]) for game in games)) for kind in REWRITES]
    print(columns(("rewritten", *games), rows, frozenset(range(1, len(games) + 1))))
    for who, count in sorted(counted.named.items()):
        print(f"named by {who}: {count}")
    print(f"named by an audit without the witness's own head: {counted.without_head}")
    print(f"named by an audit without the witness's key: {counted.without_witness}")
    print(f"not named by the audit, or signed by the witness: {len(counted.missed)}")
    print(
        f"rewrites of the open round, which nobody else has seen: {counted.tail}; named: {len(counted.tail_named)}"
    )
    for line in (*counted.missed, *counted.tail_named):
        print(f"  {line}")
    print(f"came to the same record: {counted.same}")


if __name__ == "__main__":
    sys.exit(main())
