"""Prints a table's decisions for programs, one JSON object per line. Used by scenarios and captures."""

import json
from typing import TextIO

from controller.journal.record import RecordedDecision, plain


class JsonLineWriter:
    """A listener of one table.

    Args:
        out: takes the lines.
    """

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._state = ""

    def __call__(self, recorded: RecordedDecision) -> None:
        """Take a recorded decision; the table calls this."""
        entry, record = recorded.entry, recorded.record
        body = plain(record)
        stamp = {"t_s": seconds(entry.at_ns), "round": entry.round}
        self.write_line({**stamp, "kind": "event", **_named("event", body["event"]), "outcome": record.outcome})
        effects = body["effects"]
        assert isinstance(effects, list)
        for effect in effects:
            self.write_line({**stamp, "kind": "effect", **_named("effect", effect)})
        if record.state != self._state:
            self._state = record.state
            self.write_line({**stamp, "kind": "state", "state": record.state})

    def write_line(self, data: dict[str, object]) -> None:
        """Write a line."""
        self._out.write(json.dumps(data, ensure_ascii=False) + "\n")


def _named(what: str, body: object) -> dict[str, object]:
    """An event's or effect's fields, its kind under another name."""
    assert isinstance(body, dict)
    return {what: body["kind"], **{name: value for name, value in body.items() if name != "kind"}}


def seconds(at_ns: int) -> float:
    """Time since the start, in seconds."""
    return round(at_ns / 1e9, 6)
