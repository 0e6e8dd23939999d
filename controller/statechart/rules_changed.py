"""Ends a round that was decided by other rules (:class:`RulesChanged`), the same in every game.

The round is void, or its recorded result is kept. Then the machine is in its initial state: only the rules of that
version or file could tell what was dealt since the round opened, and who closed the table.
"""

from controller.events.effect import Alert, Effect, Light, Note, Void, WagersReturned
from controller.events.event import Event, OnRecord, Press, RulesChanged, RulesInEffect
from controller.events.text import text_of
from controller.statechart.device_text import FAULTS, device_notice, fault_text

SOFTWARE_CHANGED, FILE_CHANGED = "software-changed", "file-changed"
"""The reasons that are recorded."""
FLOOR_KEY = "floor-key"
HELD = (
    "floorperson: settle the round as it is lit and on record, return the wagers that it does not decide, "
    "then turn the key"
)
"""What a table waits for if its last result was decided by other rules."""
_RETURN = "return all wagers of the round; the floorperson makes the table ready anew"
_READY = "no wagers lay; the floorperson makes the table ready anew"


def is_held(event: RulesChanged) -> bool:
    """Whether a recorded result has to be settled first."""
    return event.on_record is OnRecord.RESULT


def ended(event: RulesChanged) -> tuple[Effect, ...]:
    """The effects that end the round if it has no result."""
    if event.on_record is not OnRecord.WAGERS:
        return ()
    reason = FILE_CHANGED if event.of_file else SOFTWARE_CHANGED
    return (Void(reason, f"{text_of(event)}: {event.detail}"), WagersReturned(reason))


def alert(event: RulesChanged) -> Alert:
    """The alert for the dealer."""
    remedies = {OnRecord.RESULT: HELD, OnRecord.WAGERS: _RETURN, OnRecord.NOTHING: _READY}
    now = "under this one" if event.of_file else f"this one, version {event.version}"
    words = f"{text_of(event)} than {now} ({event.detail})"
    return Alert(words, remedies[event.on_record])


def anew(event: RulesInEffect) -> Alert:
    """The alert where rules count that the table is made ready anew for."""
    return Alert(f"other rules are in effect: {event.detail}", _READY)


def result_kept(event: RulesChanged) -> tuple[Effect, ...]:
    """The recorded result stays lit."""
    return (Light(event.lit), alert(event))


def releases(event: Event) -> bool:
    """Whether the floorperson confirms that the result is settled."""
    return isinstance(event, Press) and event.control == FLOOR_KEY


def settled(event: Event) -> Note:
    """The floorperson's key was turned, and the result is settled."""
    by = event.by if isinstance(event, Press) else ""
    return Note(f"{f'floorperson {by}' if by else 'the floorperson'} settled the round by the record")


def while_held(event: Event) -> tuple[Effect, ...]:
    """The effects of any other event until then."""
    if event.kind in FAULTS:
        return device_notice(event) or (Alert(fault_text(event), "settle by the record; then have it mended"),)
    return device_notice(event)
