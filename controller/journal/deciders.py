"""What decided an entry, and a round that the present software or file decides otherwise than on record.

An entry was decided by the software and the table's file that the last start before it names. A round that others
decided otherwise ends by the record alone: only its effects and states are read, since they are what the players
saw; the game's rules are not applied. An entry may have effects that this version does not know.
"""

import json
from typing import NamedTuple

from controller.events.event import OnRecord, RulesChanged
from controller.journal.chain import Entry
from controller.journal.journal import Journal
from controller.journal.record import short_digest
from controller.limits.table_state import OPEN

STARTS = ("table-started", "power-restored", "rules-changed")
"""The kinds of the events that name what runs from then on."""


class Decider(NamedTuple):
    """A version, its build, and the table's file under which it decides."""

    version: str
    software: str
    """From :func:`controller.runtime.software.digest`."""
    configuration: str
    """SHA-256 of the file."""

    def __str__(self) -> str:
        digests = {"software": self.software, "configuration": self.configuration}
        named = ", ".join(f"{name} {short_digest(digest)}" for name, digest in digests.items() if digest)
        return f"version {self.version} ({named})" if named else f"version {self.version}"

    def same_software(self, other: "Decider") -> bool:
        return (self.version, self.software) == (other.version, other.software)


def decider_of(journal: Journal, seq: int) -> Decider | None:
    """What decided an entry: what the last start names, up to the entry itself. None if that is not known.

    It scans back to that start, which may be a million entries away.
    """
    start = journal.last_of(STARTS, seq)
    return named_by(start) if start is not None else None


def named_by(start: Entry) -> Decider | None:
    """What a start names. Another version may have written the entry."""
    try:
        event = json.loads(start.body)["event"]
        found = Decider(event["version"], event["software"], event["configuration"])
    except (ValueError, KeyError, TypeError):
        return None
    return found if all(isinstance(part, str) for part in found) else None


class Interrupted(NamedTuple):
    """A round that cannot be continued."""

    decider: Decider
    """What decided the entry."""
    entry: int
    """The first entry that is decided otherwise now, or cannot be decided."""
    what: str
    """Code: what differs, or why it cannot."""
    on_record: OnRecord
    lit: tuple[str, ...]

    def event(self, at_ns: int, this: Decider, number: int) -> RulesChanged:
        """The event to record.

        Args:
            number: of the round.
        """
        return RulesChanged(
            at_ns,
            *this,
            version_before=self.decider.version,
            software_before=self.decider.software,
            configuration_before=self.decider.configuration,
            entry=self.entry,
            what=self.what,
            round=number,
            on_record=self.on_record,
            lit=self.lit,
            of_file=self.decider.same_software(this),
        )


class OutcomeOnRecord:
    """What the entries of a round leave: wagers, a result or nothing, and the areas that are lit.

    Args:
        lit: the areas that are lit at the checkpoint from which on entries are taken.
    """

    def __init__(self, lit: tuple[str, ...]) -> None:
        self.found, self.lit = OnRecord.NOTHING, lit

    def take(self, entry: Entry) -> None:
        """The next entry."""
        try:
            body = json.loads(entry.body)
            effects = {str(effect["kind"]): effect for effect in body["effects"]}
            event, state = body["event"], body["state"]
            areas = tuple(map(str, effects["light"]["areas"])) if "light" in effects else None
        except (ValueError, KeyError, TypeError):
            return
        if self.found is OnRecord.RESULT:
            self._settle(frozenset(effects), areas, state)
        if event.get("on_record") == OnRecord.RESULT.value:
            self.found = OnRecord.RESULT  # It was on record at an earlier change, and is not settled yet.
        for kind, effect in effects.items():
            if kind == "round-opened":
                self.found = OnRecord.WAGERS
            elif kind == "result":
                self.found = OnRecord.RESULT
            elif kind == "wagers-returned" and not effect.get("areas"):
                self.found = OnRecord.NOTHING
        self.lit = self.lit if areas is None else areas

    def _settle(self, kinds: frozenset[str], areas: tuple[str, ...] | None, state: str) -> None:
        """A result ends if it is taken back or void, if its lamps go out, and where a game reopens wagers."""
        if kinds & {"void", "result-withdrawn"} or state == OPEN:
            self.found = OnRecord.WAGERS
        elif areas == ():
            self.found = OnRecord.NOTHING
