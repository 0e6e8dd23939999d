"""Takes each press to the open prompt, or to the round if there is none; complete acts become events.

The floorperson's key asks for a number and a PIN, then opens the floor menu. For a while after an act the key alone
is sufficient, except where the state asks who each person is. The key confirms, too: no key of the dealer's does.
Pure: each press carries its time.
"""

from collections.abc import Mapping
from dataclasses import replace
from typing import Protocol

from controller.events.event import Act, Event, FloorKeyTurned, PinPrompt, Press
from controller.events.words import Text, text
from controller.machine.offers import FLOOR_KEY, LOG_ON, Authority, Offer
from controller.table.identification import Identification
from controller.table.identification import Staff as Staff
from controller.table.machine import CALLS
from controller.table.prompts import (
    LIST_NS,
    PATIENCE_NS,
    Asked,
    Confirm,
    Dark,
    Entry,
    Identify,
    KeyNeeded,
    Menu,
    Place,
    Prompt,
    View,
    asks,
    chosen_by,
    menu_of,
    name_of,
    reasons_of,
    requested,
    view_of,
)

DIGIT = "digit"
"""Recorded in place of a digit that may be one of a PIN."""
NOTICE_NS = 20_000_000_000
"""How long it is shown why a prompt closed."""


class Offering(Protocol):
    """A table, as far as its prompts need it."""

    def place(self) -> Place: ...

    def offers(self) -> tuple[Offer, ...]: ...

    def calls(self, control: str) -> tuple[Offer, ...]: ...

    def would_take(self, control: str) -> bool: ...

    def events_of(self, act: Act) -> list[Event]:
        """What is recorded of an act of one of the offers."""


class Desk:
    """The prompts of one table.

    Args:
        staff: None at a table that asks for no credentials.
        log_on: whether dealers log on here.
    """

    def __init__(self, table: Offering, staff: Staff | None, log_on: bool = True) -> None:
        self._table = table
        self._people, self._log_on = Identification(staff), log_on
        self._prompt: Prompt | None = None
        self._keyed_ns = 0
        self._notice: tuple[Text, int] | None = None

    def started(self, failures: Mapping[Asked, int], prompt: str, now_ns: int) -> None:
        """The table has started.

        Args:
            failures: the number of consecutive wrong PINs before.
            prompt: the prompt that was open when the power went; the rest of its digits is discarded.
        """
        self._people.started(failures, now_ns)
        if prompt:
            self._prompt = Dark(Asked(prompt))

    # -- what people see -------------------------------------------------------------------------------------

    def view(self, now_ns: int) -> View:
        """The prompt, or why the last one closed."""
        if self._prompt is not None:
            return view_of(self._prompt)
        notice = self._notice
        return View(notice[0]) if notice is not None and now_ns < notice[1] else View()

    @property
    def asks_credentials(self) -> bool:
        return self._people.staff is not None

    def identified(self, now_ns: int) -> str:
        """The credential number of who identified last, while the key alone would do; else empty."""
        return self._people.present(now_ns)

    @property
    def entries(self) -> tuple[Entry, ...]:
        return self._prompt.entries if isinstance(self._prompt, Menu) else ()

    @property
    def is_open(self) -> bool:
        return self._prompt is not None

    @property
    def hides_digits(self) -> bool:
        """Whether a digit that is keyed now may be one of a PIN."""
        return isinstance(self._prompt, Identify | Dark | KeyNeeded)

    @property
    def in_use(self) -> bool:
        """Whether a floorperson identifies, or chooses."""
        prompt = self._prompt
        if isinstance(prompt, Identify):
            return prompt.asked is Asked.FLOORPERSON
        return isinstance(prompt, Confirm) or (isinstance(prompt, Menu) and prompt.floor)

    @property
    def where(self) -> str:
        """The state of the table and the prompt. In another one, a second press does not mean the same."""
        return f"{self._table.place()[1]} {name_of(self._prompt) if self._prompt is not None else ''}"

    # -- time, and the game ----------------------------------------------------------------------------------

    @property
    def due_ns(self) -> int | None:
        """When to call :meth:`tick`."""
        if self._prompt is not None and not isinstance(self._prompt, Dark):
            return self._keyed_ns + _patience_ns(self._prompt)
        return self._notice[1] if self._notice is not None else None

    def tick(self, now_ns: int) -> list[Event]:
        """A prompt without input closes. If digits were keyed, what follows them is discarded."""
        prompt = self._prompt
        if self._notice is not None and now_ns >= self._notice[1]:
            self._notice = None
        if prompt is None or isinstance(prompt, Dark) or now_ns < self._keyed_ns + _patience_ns(prompt):
            return []
        seconds = _patience_ns(prompt) // 1_000_000_000
        return self._given_up(prompt, now_ns, "expired", text("prompt-expired", seconds=seconds))

    def look(self, now_ns: int) -> list[Event]:
        """Give up what was offered in a round or a state that is over. Call it after each decision."""
        prompt = self._prompt
        if isinstance(prompt, Menu) and not prompt.floor and self._relisted(prompt):
            return []
        if isinstance(prompt, Identify | Dark | None) or prompt.place in (None, self._table.place()):
            return []
        return self._given_up(prompt, now_ns, "cancelled", text("changed-meanwhile"))

    def _relisted(self, called: Menu) -> bool:
        """A call counts for its round. The present state decides who may give a reason; each keeps its key."""
        place, control = self._table.place(), called.entries[0].offers[0].control
        now = {offer.argument: offer for offer in self._table.calls(control)}
        if place[0] != called.place[0] or not now:
            return False
        offers = (one.offers[0] for one in called.entries)
        listed = (now.get(old.argument, replace(old, unavailable=text("not-offered"))) for old in offers)
        self._prompt = replace(called, place=place, entries=reasons_of(listed))
        return True

    def _given_up(self, prompt: Prompt, at_ns: int, how: str, notice: Text) -> list[Event]:
        keyed = isinstance(prompt, Identify) and (prompt.keyed or prompt.number is not None)
        if keyed or (isinstance(prompt, KeyNeeded) and prompt.keyed):
            return self._becomes(Dark(asks(prompt) or Asked.FLOORPERSON), at_ns)
        return self._close(at_ns, how, notice)

    # -- presses ---------------------------------------------------------------------------------------------

    def press(self, press: Press) -> list[Event]:
        events = self.tick(press.at_ns)
        control, prompt = press.control, self._prompt
        if control == FLOOR_KEY:
            turned = FloorKeyTurned(press.at_ns, self.identified(press.at_ns))
            return [*events, turned, *self._turned(press)]
        if control == LOG_ON and self._log_on and (prompt is None or name_of(prompt) == LOG_ON):
            return [*events, *self._becomes(Identify(Asked.DEALER), press.at_ns)]
        if prompt is None:
            return [*events, *self._to_round(press)]
        if control in CALLS:
            return [*events, press]
        # A key may be several digits: 00, 10.
        if not (control in ("enter", "clear") or control.isdecimal()):
            return [*events, replace(press, prompt=name_of(prompt))]
        self._keyed_ns = press.at_ns
        return [*events, *self._keyed(prompt, press)]

    def _to_round(self, press: Press) -> list[Event]:
        """The round gets the press. If it asks for an act that the dealer alone may not do, a prompt opens."""
        offers = () if press.again else self._table.calls(press.control)
        if len(offers) > 1:
            title = text("choose-reason", control=press.control)
            entries = reasons_of(offers)
            entered = any(self._table.would_take(one.key) for one in entries)
            patience_ns = LIST_NS if entered else PATIENCE_NS
            self._becomes(Menu("", False, self._table.place(), entries, title, patience_ns), press.at_ns)
        elif offers and offers[0].authority is not Authority.DEALER and not offers[0].unavailable:
            self._becomes(requested(offers[0], self._table.place()), press.at_ns)
        return [press]

    def _keyed(self, prompt: Prompt, press: Press) -> list[Event]:
        """A digit, ``enter`` or ``clear`` in an open prompt."""
        control, at_ns = press.control, press.at_ns
        if isinstance(prompt, Identify):
            return self._identifying(prompt, press)
        if isinstance(prompt, Dark):
            return [] if control.isdecimal() else self._close(at_ns, "cancelled", text("key-the-entry-again"))
        if control == "clear":
            return self._close(at_ns, "cancelled")
        if isinstance(prompt, KeyNeeded):
            return [*self._becomes(replace(prompt, keyed=True), at_ns), _masked(press, prompt)]
        if isinstance(prompt, Confirm):
            return self._misled(press)
        if control != "enter":
            return self._chosen(prompt, press)
        if not (prompt.floor and self.asks_credentials):
            return [_masked(press, prompt)]
        return [] if press.again else self._becomes(Identify(Asked.FLOORPERSON), at_ns)

    def _misled(self, press: Press) -> list[Event]:
        """What chooses nothing may belong to an entry of the dealer's, or to the number of a floorperson who does
        not expect the menu: what follows must not choose, nor reach the game."""
        prompt = KeyNeeded(Asked.FLOORPERSON, text("nothing-chosen"), keyed=True)
        return self._becomes(prompt, press.at_ns)

    # -- the floorperson's key, and the log-on ---------------------------------------------------------------

    def _turned(self, press: Press) -> list[Event]:
        """The key is turned: it confirms, does what the menu expects, opens the menu, or asks who turns it."""
        prompt, at_ns, present = self._prompt, press.at_ns, self.identified(press.at_ns)
        if isinstance(prompt, Confirm):
            return self._acted(prompt, press)
        entry = chosen_by(prompt, FLOOR_KEY) if isinstance(prompt, Menu) and prompt.floor else None
        if isinstance(prompt, Menu) and entry is not None:
            return self._acted(Confirm(prompt.by, prompt.place, entry.offers[0]), press)
        offer, place = prompt.offer if isinstance(prompt, KeyNeeded) else None, self._table.place()
        if isinstance(prompt, KeyNeeded) and prompt.place is not None:
            place = prompt.place
        fresh = isinstance(prompt, Identify) or any(one.fresh for one in self._table.offers())
        if self.asks_credentials and (fresh or not present):
            return self._becomes(Identify(Asked.FLOORPERSON, offer, place), at_ns)
        closed = self._close(at_ns, "cancelled")
        if self.asks_credentials and offer is not None:  # Who keys a PIN from habit is not to key it into the game.
            return [*closed, *self._becomes(Confirm(present, place, offer), at_ns)]
        return [*closed, *self._admitted(present, offer, place, press)]

    def _identifying(self, prompt: Identify, press: Press) -> list[Event]:
        answer = self._people.keyed(prompt, press)
        events = [*self._becomes(answer.prompt, press.at_ns, answer.how), *answer.events]
        if answer.admitted:
            events += self._admitted(answer.admitted, prompt.offer, prompt.place, press)
        return events

    # -- the floor menu --------------------------------------------------------------------------------------

    def _admitted(self, by: str, offer: Offer | None, place: Place, press: Press) -> list[Event]:
        """The floorperson is known: what was asked for is done, or the menu opens."""
        self._people.acts(press.at_ns)
        if offer is not None:
            return self._acted(Confirm(by, place, offer), press)
        # What the state waits for comes first: its instruction says to turn the key twice.
        entries = menu_of(self._table.offers())
        return self._becomes(Menu(by, True, self._table.place(), entries, text("floor-menu", by=by)), press.at_ns)

    def _chosen(self, menu: Menu, press: Press) -> list[Event]:
        entry = chosen_by(menu, press.control)
        if entry is None:
            return self._misled(press) if menu.floor else [_masked(press, menu)]
        if len(entry.offers) > 1:
            lines = reasons_of(entry.offers)
            return self._becomes(Menu(menu.by, menu.floor, menu.place, lines, entry.words), press.at_ns)
        offer = entry.offers[0]
        if not menu.floor and offer.authority is Authority.FLOORPERSON:
            return self._becomes(requested(offer, menu.place), press.at_ns)
        choice = Confirm(menu.by, menu.place, offer)
        return self._becomes(choice, press.at_ns) if menu.floor else self._acted(choice, press, floor=False)

    def _acted(self, choice: Confirm, press: Press, floor: bool = True) -> list[Event]:
        """What was confirmed is done, if round and state are still those in which it was offered."""
        at_ns, offer, by = press.at_ns, choice.offer, choice.by
        if choice.place != self._table.place():
            return self._close(at_ns, "cancelled", text("changed-meanwhile"))
        if floor:
            self._people.acts(at_ns)
        closed = self._close(at_ns, "answered")
        act = Act(at_ns, offer.act, offer.argument, press.utc_ns, by, floor)
        return [*closed, *self._table.events_of(act)]

    # -- opening and closing -----------------------------------------------------------------------------------

    def _becomes(self, prompt: Prompt | None, at_ns: int, how: str = "cancelled") -> list[Event]:
        """Another prompt, or none. Whether it asks for a PIN is on record before the first digit."""
        before, after = asks(self._prompt), asks(prompt)
        self._prompt, self._keyed_ns, self._notice = prompt, at_ns, None
        if before is after or not self.asks_credentials:
            return []
        return [PinPrompt(at_ns, after.value if after is not None else "", how if before is not None else "")]

    def _close(self, at_ns: int, how: str, notice: Text | None = None) -> list[Event]:
        closed = self._becomes(None, at_ns, how)
        self._notice = (notice, at_ns + NOTICE_NS) if notice is not None else None
        return closed


def _patience_ns(prompt: Prompt) -> int:
    return prompt.patience_ns if isinstance(prompt, Menu) else PATIENCE_NS


def _masked(press: Press, prompt: Prompt) -> Press:
    return replace(press, control=DIGIT if press.control.isdecimal() else press.control, prompt=name_of(prompt))
