"""Entries of the sizes that tables write, without a table. Their text compresses badly."""

import json
from collections.abc import Iterator
from hashlib import shake_256
from typing import NamedTuple

BODY_BYTES = (130, 210, 180, 300, 230, 160, 645, 200, 240, 190, 220, 1184, 210, 170)
"""The bodies of a round. Those of tables of all games had 216 to 263 bytes in the mean, 1184 at the most."""
CHECKPOINT_BYTES = 620
"""Of the first entry of a round. Tables of all games had 370 to 640."""
ENTRY_BYTES = 700
"""That an entry takes of a journal's file, index and hash included, and rounded up."""


class TrialEntry(NamedTuple):
    """What is appended to a journal."""

    round: int
    kind: str
    body: str
    checkpoint: str | None


def trial_entries() -> Iterator[TrialEntry]:
    """Entries without end, the same each time."""
    round_ = 0
    while True:
        round_ += 1
        for place, size in enumerate(BODY_BYTES):
            text = _text(f"{round_} {place}", size)
            yield TrialEntry(
                round_, "qualify-disk", text, _text(f"{round_}", CHECKPOINT_BYTES) if not place else None
            )


def _text(seed: str, size: int) -> str:
    frame = len(json.dumps({"trial": ""}))
    return json.dumps({"trial": shake_256(seed.encode()).hexdigest(size // 2 + 1)[: size - frame]})
