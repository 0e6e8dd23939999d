"""The situation of a round by its record alone, for a round that another version decided.

Only the recorded effects and states are read, since they are what the players saw; the game's rules are not
applied. An entry may have effects that this version does not know.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from controller.events.event import OnRecord, RulesChanged
from controller.journal.chain import Entry
from controller.journal.text import short_digest
from controller.journal.versions import Software
from controller.limits.round_progress import OPEN

CORRECTING = "correcting"
"""Every game's state in which the floorperson may allow a correction."""


class Interrupted(NamedTuple):
    """A round that was decided by another version, or under another file, and that cannot be continued."""

    decided_by: Software
    entry: int
    """The first entry that this software decides differently, or cannot read."""
    detail: str
    on_record: OnRecord
    lit: tuple[str, ...]
    file: str = ""
    """Digest of the file under which this software decided it; empty for another software."""

    def event(self, at_ns: int, software: Software, number: int) -> RulesChanged:
        """The event to record.

        Args:
            software: that runs now.
            number: of the round.
        """
        before = f"configuration {short_digest(self.file)}" if self.file else str(self.decided_by)
        who = (software.version, software.digest, before)
        return RulesChanged(at_ns, *who, self.entry, self.detail, number, self.on_record, self.lit, bool(self.file))


def outcome_on_record(entries: Iterable[Entry], lit: tuple[str, ...]) -> tuple[OnRecord, tuple[str, ...]]:
    """What is on record at the end of entries (wagers, a result or nothing), and the areas that are lit.

    Args:
        entries: from the one with the last checkpoint on.
        lit: the areas that are lit at the checkpoint.
    """
    found, before = OnRecord.NOTHING, ""
    for body in map(_body, entries):
        state = str(body.get("state"))
        if found is OnRecord.RESULT and _is_over(body, before):
            open_wagers = before == CORRECTING or state == OPEN  # A game of several throws returns to this state.
            found = OnRecord.WAGERS if open_wagers else OnRecord.NOTHING
        elif _fact(body).get("on_record") == OnRecord.RESULT.value:
            found = OnRecord.RESULT  # A result that was on record at an earlier change of version still counts.
        for effect in _effects(body):
            found = _after(found, effect.get("kind"))
            lit = _areas(effect, lit)
        before = state
    return found, lit


def _is_over(body: Mapping[str, Any], before: str) -> bool:
    """Whether a result is withdrawn for a correction, or was settled and its lamps turned off."""
    if before == CORRECTING and _fact(body).get("control") == "floor-key":
        return True
    effects = list(_effects(body))
    dark = any(effect.get("kind") == "light" and not effect.get("areas") for effect in effects)
    return dark and not any(effect.get("kind") == "result" for effect in effects)


def _after(found: OnRecord, kind: object) -> OnRecord:
    ends = {
        "round-opened": OnRecord.WAGERS,
        "result": OnRecord.RESULT,
        "wagers-returned": OnRecord.NOTHING,
    }
    return ends.get(str(kind), found)


def _areas(effect: Mapping[str, Any], lit: tuple[str, ...]) -> tuple[str, ...]:
    areas = effect.get("areas")
    if effect.get("kind") != "light" or not isinstance(areas, list):
        return lit
    return tuple(map(str, areas))


def _body(entry: Entry) -> Mapping[str, Any]:
    try:
        body = json.loads(entry.body)
    except ValueError:
        return {}
    return body if isinstance(body, dict) else {}


def _fact(body: Mapping[str, Any]) -> Mapping[str, Any]:
    fact = body.get("fact")
    return fact if isinstance(fact, dict) else {}


def _effects(body: Mapping[str, Any]) -> Iterator[Mapping[str, Any]]:
    effects = body.get("effects")
    if isinstance(effects, list):
        yield from (effect for effect in effects if isinstance(effect, dict))
