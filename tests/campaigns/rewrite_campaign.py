"""Records that are rewritten, and who names it: ``tests/campaigns/test_rewrite_campaign.py`` plays it.

Tables of all games play on simulated hardware; their records are signed, and a witness signs them. Then comes
somebody with root on table, floor and database, who has the table's key and not the witness's, and rewrites the
record at random places (:mod:`campaigns.rewrites`), each time with all hashes, and with the table's checkpoints
signed anew. Each rewritten record is held against what is left of the truth:

- *audit*: the evidence that the attacker hands out, with the keys and the witness's own head;
- *witness*: the record's newest checkpoint is presented to be signed;
- *table*: what ``journal verify``, the table at its start and the signer compare, as long as the signer's small
  file is as it was (whoever is root on the table can rewrite that, too).

Two more kinds of rewrite are counted apart, for they are not to be named: of entries after the last checkpoint
that a witness signed, which nobody but the table has seen; and audits without the witness's key.
"""

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory

from campaigns.rewrites import REWRITES, chained
from campaigns.rewritten_record import Victim

from controller.journal.chain import Entry

MEMORY = Path("/dev/shm")


@dataclass(slots=True)
class Rewritten:
    """What was counted."""

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


def rewrite_some(game: str, seed: int, places: int) -> Rewritten:
    """Rewrite a game's record at so many places, and see who names it."""
    counted, chance = Rewritten(), random.Random(seed)
    with TemporaryDirectory(dir=MEMORY if MEMORY.is_dir() else None) as folder:
        victim = Victim(game, Path(folder))
        try:
            for number in range(places):
                kind = list(REWRITES)[number % len(REWRITES)]
                _rewrite_signed(victim, kind, chance, counted, f"{game}, seed {seed}, {number}: {kind}")
            for _ in range(max(1, places // 10)):
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
