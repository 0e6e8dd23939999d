"""Recovery is replay: the facts since the last round opened run through the same machine, its effects muted."""

import json
from typing import Any

from controller.games.machine import GameMachine
from controller.records.journal import Journal, JournalError
from controller.records.record import of_entry

_to_json = json.JSONEncoder(separators=(",", ":"), sort_keys=True).encode


def checkpoint(game: str, machine: GameMachine[Any, Any]) -> str:
    """The machine's state and data, as an entry keeps it."""
    return _to_json({"game": game, **machine.snapshot()})


def recover(game: str, machine: GameMachine[Any, Any], journal: Journal) -> int:
    """Bring a new machine to where the journal ends.

    The cost is that of one round, however long the journal is.

    Returns:
        how many facts were replayed; -1 if the journal is empty.

    Raises:
        JournalError: the journal belongs to another game, or this software comes to another state than the
            record says; the message names the entry.
    """
    start = journal.last_checkpoint()
    if start is None or start.checkpoint is None:
        return -1
    kept = json.loads(start.checkpoint)
    if kept.get("game") != game:
        raise JournalError(f"the journal is of the game '{kept.get('game')}', not of '{game}'; name another file")
    try:
        machine.restore(kept)
    except ValueError as error:
        raise JournalError(f"entry {start.seq}: {error}") from error
    replayed = 0
    for entry in journal.entries(after=start.seq):
        record = of_entry(entry)
        if record.outcome == "failed":
            continue
        decision = machine.handle(record.fact)
        replayed += 1
        if decision.state != record.state:
            raise JournalError(
                f"entry {entry.seq} ({entry.kind}): the record says '{record.state}', "
                f"this software comes to '{decision.state}'; the table stays closed"
            )
    return replayed
