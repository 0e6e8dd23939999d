"""What any game decides where another version's decisions cannot be gone on with (:class:`RulesChanged`).

The round is void, or its result stands as it is on record. Then the table stands as it did before it was opened for
the first time: what was dealt since the round opened, and who closed the table, only that version's rules can tell.
"""

from controller.events.effect import Alert, Effect, Light, Note, Void, WagersReturned
from controller.events.event import Event, OnRecord, Press, RulesChanged
from controller.events.text import text_of
from controller.statechart.device_text import FAULTS, device_notice, fault_text

SOFTWARE_CHANGED = "software-changed"
"""The reason on record."""
FLOOR_KEY = "floor-key"
HELD = (
    "floorperson: settle the round as it is lit and on record, return the wagers that it does not decide, "
    "then turn the key"
)
"""What a table waits for whose last result another version decided."""
_RETURN = "return all wagers of the round; the floorperson makes the table ready anew"
_READY = "no wagers lay; the floorperson makes the table ready anew"


def is_held(event: RulesChanged) -> bool:
    """Whether a result stands that has to be settled first."""
    return event.on_record is OnRecord.RESULT


def ended(event: RulesChanged) -> tuple[Effect, ...]:
    """How the round ends, if no result stands."""
    if event.on_record is not OnRecord.WAGERS:
        return ()
    return (Void(SOFTWARE_CHANGED, f"{text_of(event)}: {event.detail}"), WagersReturned(SOFTWARE_CHANGED))


def told(event: RulesChanged) -> Alert:
    """What the dealer reads."""
    remedies = {OnRecord.RESULT: HELD, OnRecord.WAGERS: _RETURN, OnRecord.NOTHING: _READY}
    words = f"{text_of(event)} than this one, version {event.version} ({event.detail})"
    return Alert(words, remedies[event.on_record])


def stands(event: RulesChanged) -> tuple[Effect, ...]:
    """The result on record stays lit."""
    return (Light(event.lit), told(event))


def releases(event: Event) -> bool:
    """Whether the floorperson says that the result is settled."""
    return isinstance(event, Press) and event.control == FLOOR_KEY


SETTLED = Note("the floorperson settled the round by the record")


def noticed(event: Event) -> tuple[Effect, ...]:
    """What is told meanwhile of what decides nothing."""
    if event.kind in FAULTS:
        return device_notice(event) or (Alert(fault_text(event), "settle by the record; then have it mended"),)
    return device_notice(event)
