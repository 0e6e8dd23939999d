"""The machine of a table around one game's rounds: closed, open or locked, faults, ages, and who may do what.

It is pure: an event in, a decision out. It knows no game, and the game's rounds know nothing of what is here.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import Enum
from typing import Any

from pydantic import TypeAdapter

from controller.events.effect import (
    Alert,
    Bonus,
    Effect,
    InspectionLogged,
    Light,
    Lock,
    Note,
    Refused,
    Result,
    RoundOpened,
    Void,
    WagersReturned,
)
from controller.events.event import (
    Act,
    ClockChecked,
    Event,
    OnRecord,
    PowerRestored,
    Press,
    RulesChanged,
    TableStarted,
    TermsInEffect,
    TimerElapsed,
    trigger,
)
from controller.events.record import Decision, Outcome
from controller.events.words import NOTHING, Text, Words, say, text
from controller.machine.offers import Authority, Equipment, FaultPolicy, Offer
from controller.machine.round_machine import RoundMachine
from controller.machine.snapshots import read_back
from controller.table import ages, faults
from controller.table.data import Fault, TableData, TableSnapshot

CALLS = frozenset({"no-more-bets", "no-spin", "no-roll"})
"""Keys that reach the round at any time, even while a prompt is open (§ 617a.6)."""
LONG_PAUSE_NS = 30 * 60 * 1_000_000_000
"""If nothing was recorded for longer until a start during a round, the floorperson decides whether it continues."""
CALLS_IN_A_ROW = 3
"""From so many voids by the dealer on, without a result between them, each raises an alert."""
_SNAPSHOT = TypeAdapter(TableSnapshot)


_DECIDES = (Bonus, InspectionLogged, Result, RoundOpened, Void, WagersReturned)


class Overlay(Enum):
    """States of the table in which its round does not go on."""

    LOCKED = "locked"
    DUE = "equipment-due"


class TableMachine:
    """A table around a game's rounds.

    Args:
        game_round: the game's machine, new.
        words: sentences by code, of the table layer and of the game; for what people read only.
    """

    def __init__(self, game_round: RoundMachine[Any, Any], words: Words) -> None:
        self.rounds = game_round
        self.words = words
        self.table = TableData()
        self.lit: tuple[str, ...] = ()
        """The areas that the last Light effect asked for."""

    # -- what people see -------------------------------------------------------------------------------------

    @property
    def state(self) -> Enum:
        """That of the round, unless the table is locked or waits for new dice or cards."""
        if self.table.locked:
            return Overlay.LOCKED
        state: Enum = Overlay.DUE if self.table.due else self.rounds.state
        return state

    @property
    def states(self) -> tuple[Enum, ...]:
        aged = (Overlay.DUE,) if self.rounds.equipment else ()
        return (*self.rounds.states, Overlay.LOCKED, *aged)

    @property
    def transitions(self) -> tuple[Any, ...]:
        """The rows of the rounds, for diagrams: one for each source and event."""
        return tuple(
            replace(row, source=source, on=on)
            for row in self.rounds.rows
            for source in row.sources
            for on in row.events
        )

    @property
    def data(self) -> Any:
        return self.rounds.data

    @property
    def round(self) -> int:
        return self.rounds.round

    def instruction(self) -> Text:
        """What people do next. Why a table is locked or closed is said by :attr:`causes`."""
        if self.table.settle:
            return text("settle-by-the-record")
        if self.table.shut and (self.table.locked or self._is_closed):
            return text("locked-shut", contacts=",".join(self.table.shut))
        if self.table.locked:
            return text("locked")
        if self.table.due:
            names = (one.name for one in self.rounds.in_use if not ages.fresh(self.table, (one,)))
            return text("equipment-due", equipment=",".join(names))
        return self.rounds.instruction()

    @property
    def causes(self) -> tuple[Text, ...]:
        """Why the table is locked, or was closed by a fault."""
        return self.table.causes

    def waiting_for(self) -> str:
        """The instruction as a sentence, with the causes before it."""
        because = self.causes if self.table.locked or self._is_closed else ()
        return " ".join(say(self.words, one) for one in (*because, self.instruction()))

    @property
    def _is_closed(self) -> bool:
        return self.rounds.state.value in self.rounds.closed

    # -- what people may do ----------------------------------------------------------------------------------

    def offers(self) -> tuple[Offer, ...]:
        """The floor menu of this state, in order: the table layer's entries around those of the round."""
        return tuple(self._offers())

    def _offers(self) -> Iterable[Offer]:
        shut = text("shut") if self.table.shut else NOTHING
        if self.table.locked:
            yield Offer("unlock", expected=True, unavailable=shut)
        elif self.table.due:
            for one in self.rounds.in_use:
                if not ages.fresh(self.table, (one,)):
                    yield Offer("renew", one.name, expected=True)
        waits = self.table.locked or self.table.due
        for offer in self.rounds.offers():
            if waits and offer.expected:  # What the round itself waits for comes after that.
                continue
            if waits:  # Until then the key decides.
                offer = replace(offer, authority=Authority.FLOORPERSON)
            yield replace(offer, unavailable=shut) if shut and self._is_closed else offer
        if not self.table.due:
            yield from (Offer("renew", one.name) for one in self.rounds.in_use)

    def calls(self, control: str) -> tuple[Offer, ...]:
        """What a key of the dealer's asks for, where no row of the round takes it."""
        if not control or self.table.locked or self.table.due or self.would_take(control):
            return ()
        return tuple(offer for offer in self.offers() if offer.control == control)

    def would_take(self, control: str) -> bool:
        """Whether a press of this control would be accepted now."""
        if self.table.locked or self.table.due:
            return False
        return self.rounds.would_take(Press(0, control)) is not None

    # -- running -------------------------------------------------------------------------------------------

    def handle(self, event: Event) -> Decision:
        """Decide on an event.

        Raises:
            Exception: whatever the round's code raises; nothing is changed then.
        """
        table, lit, state, data = self.table, self.lit, self.rounds.state, self.rounds.data
        try:
            decision = self._decide(event)
            # While new equipment is waited for, no wagers lie: they went back when the old reached its age.
            return _without_wagers(decision) if table.due else decision
        except BaseException:
            self.table, self.lit = table, lit
            self.rounds.place(state, data)
            raise

    def _decide(self, event: Event) -> Decision:
        shut = faults.shut_after(self.table.shut, event)
        if shut != self.table.shut:
            self.table = replace(self.table, shut=shut)
        if isinstance(event, Press):
            return self._pressed(event)
        if isinstance(event, Act):
            return self._acted(event)
        if isinstance(event, RulesChanged):
            return self._rules_changed(event)
        if isinstance(event, TermsInEffect) and event.anew:
            return self._accepted((*self._start_over(event.round, event), Alert("rules-in-effect")))
        if isinstance(event, PowerRestored):
            return self._power_restored(event)
        if isinstance(event, ClockChecked):
            self.table, aged = ages.clock_checked(self.table, self.rounds.equipment, event)
            return self._noted((*faults.notice(event), *aged), event)
        if isinstance(event, TimerElapsed):
            aged_out = ages.elapsed(self.table, event.timer, self.rounds.equipment)
            if aged_out is not None:
                self.table = aged_out[0]
                return self._noted(aged_out[1], event)
        fault = faults.fault_of(event)
        if fault is not None:
            return self._failed(event, fault)
        return self._sensed(event)

    # -- presses and acts ----------------------------------------------------------------------------------

    def _pressed(self, event: Press) -> Decision:
        if event.prompt and event.control not in CALLS:
            return self._refused(event, text("prompt-open", prompt=event.prompt))
        if self.table.locked or self.table.due:
            return self._refused(event)
        row = self.rounds.would_take(event) if event.again or self.table.waiting else None
        if row is not None:  # The press may have to be refused, so look at its effects first.
            closing = any(self._policy(one, row.to) is FaultPolicy.CLOSE for one in self.table.waiting)
            effects = row.action(self.rounds.data, event).effects if event.again or closing else ()
            if event.again and decides(effects):
                return self._refused(event, text("pressed-twice"))
            if closing and _opens(effects):
                # The fault waited for the end of this round: no other one opens.
                return self._taken(event, self._in_round(_closing(event.at_ns)))
        taken = self._in_round(event)
        if taken is not None:
            return self._taken(event, taken)
        offers = self.calls(event.control)
        if offers and not event.again:
            return self._called(event, offers)
        return self._refused(event, text("pressed-twice") if event.again else self.rounds.refused_because(event))

    def _called(self, event: Press, offers: tuple[Offer, ...]) -> Decision:
        """A key asks for an act. The dealer's own is done at once; for any other one a prompt has opened."""
        mine = [offer for offer in offers if offer.authority is Authority.DEALER]
        if len(mine) == 1 == len(offers) and not mine[0].unavailable:
            act = Act(event.at_ns, mine[0].act, mine[0].argument, event.utc_ns, floor=False)
            return self._taken(act, self._in_round(act))
        if len(offers) == 1 and offers[0].unavailable:
            return self._refused(event, offers[0].unavailable)
        note = Note("called", {"control": event.control})
        taken = self._in_round(event, f"called {event.control}")  # It may remember when it was called.
        return self._noted((note,)) if taken is None else self._taken(event, (note, *taken))

    def _acted(self, event: Act) -> Decision:
        offer = next((one for one in self.offers() if (one.act, one.argument) == (event.act, event.argument)), None)
        if offer is None or offer.unavailable or (not event.floor and offer.authority is not Authority.DEALER):
            return self._refused(
                event, (offer.unavailable if offer is not None else NOTHING) or text("not-offered")
            )
        effects = self._done(event)
        if effects is None:
            return self._refused(event, self.rounds.declined(event))
        if event.floor and not offer.expected:
            effects += (Alert(f"done-{event.act}", parameters={"by": event.by, "argument": event.argument}),)
        return self._taken(event, effects)

    def _done(self, event: Act) -> tuple[Effect, ...] | None:
        if event.act == "unlock":
            return self._unlocked(event)
        if event.act == "open" and self.rounds.opens_with_new:
            renewed = [effect for one in self.rounds.in_use for effect in self._renewed(one, event)]
            opened = self._in_round(event)
            return (*renewed, *opened) if opened is not None else None
        if event.act != "renew":
            return self._in_round(event)
        one = next(one for one in self.rounds.equipment if one.name == event.argument)
        effects = self._renewed(one, event)
        was_due = self.table.due
        self.table = replace(self.table, due=False)
        return (*effects, *self._also(event, "reopened" if was_due else "act renew"))

    def _renewed(self, one: Equipment, event: Act) -> tuple[Effect, ...]:
        self.table, effects = ages.renewed(self.table, one, event.utc_ns, event.by)
        return effects

    def _unlocked(self, event: Act) -> tuple[Effect, ...]:
        note = Note("unlocked", {"by": event.by})
        settled, self.table = self.table.settle, replace(self.table, locked=False, causes=(), settle=False)
        if settled:
            return (note, *self._start_over(self.rounds.round, event))
        # The lamps are set again, which tests whether the panel was repaired.
        return (note, Light(self.lit), *self._also(event, "unlocked"))

    # -- sensors, faults, power ----------------------------------------------------------------------------

    def _sensed(self, event: Event) -> Decision:
        on = f"locked {trigger(event)}" if self.table.locked else ""
        taken = self._in_round(event, on)
        return self._noted(faults.notice(event)) if taken is None else self._taken(event, taken)

    def _failed(self, event: Event, fault: Fault) -> Decision:
        alert = Alert(fault.cause.code, parameters=fault.cause.parameters)
        policy = self.rounds.on_fault(fault.device, self.rounds.state)
        effects = self._also(event, f"fault {fault.device.value}")
        if self.table.locked:
            self._because([fault.cause])
            return self._noted((*effects, alert))
        if policy is not FaultPolicy.ALERT:
            self.table = replace(self.table, waiting=(*self.table.waiting, fault))
        if policy is FaultPolicy.VOID:
            effects = (*effects, *self._also(Act(event.at_ns, "void", "controller-failed", floor=False)))
            self.table = replace(self.table, locked=True)
        later = (Note("stops-after-this-round"),) if policy is FaultPolicy.LATER else ()
        return self._taken(event, (*effects, alert, *later))

    def _in_round(self, event: Event, on: str = "") -> tuple[Effect, ...] | None:
        """Let the round take an event; None if it has no row for it."""
        step = self.rounds.handle(event, on)
        return step.effects if step is not None else None

    def _also(self, event: Event, on: str = "") -> tuple[Effect, ...]:
        return self._in_round(event, on) or ()

    def _power_restored(self, event: PowerRestored) -> Decision:
        self.table, aged = ages.since(self.table, self.rounds.equipment, event.utc_ns)
        effects = (*self._also(event), *aged)
        if self.rounds.under_way() and event.pause_ns < 0:
            effects = (*effects, Lock("pause-unknown"))
        elif self.rounds.under_way() and event.pause_ns > LONG_PAUSE_NS:
            effects = (*effects, Lock("long-pause", {"minutes": event.pause_ns // 60_000_000_000}))
        return self._taken(event, effects)

    # -- other software or another file ----------------------------------------------------------------------

    def _rules_changed(self, event: RulesChanged) -> Decision:
        """The round on record cannot be continued: it is void, or its recorded result is settled as it is lit."""
        changed: dict[str, str | int] = {"entry": event.entry, "what": event.what, "version": event.version_before}
        reason = "file-changed" if event.of_file else "software-changed"
        self.table = replace(self.table, waiting=(), due=False)
        if event.on_record is OnRecord.RESULT:
            self.rounds.start_over(event.round)
            self.table = replace(self.table, settle=True)
            return self._taken(event, (Light(event.lit), Lock(reason, changed)))
        effects: tuple[Effect, ...] = ()
        if event.on_record is OnRecord.WAGERS:
            effects = (Void(reason, parameters=changed), WagersReturned(reason))
        over = self._start_over(event.round, event)
        return self._accepted((*effects, *over, Alert(reason, parameters=changed)))

    def _start_over(self, last: int, event: Event) -> tuple[Effect, ...]:
        """Start after a round. A game that is opened by the floorperson counts its next round then."""
        self.table = replace(self.table, settle=False, due=False)
        self.rounds.start_over(last + 1 if self.rounds.opens_itself else last)
        return (Light(()), *self._also(TableStarted(event.at_ns, 0, "", "")))

    # -- decisions -----------------------------------------------------------------------------------------

    def _taken(self, event: Event, effects: tuple[Effect, ...] | None) -> Decision:
        """The decision on an event that the round took, with what the table layer does after it."""
        if effects is None:
            return self._noted(())
        counted = self._dealers_calls(event, effects)
        return self._accepted((*counted, *effects, *self._after(event, effects)))

    def _dealers_calls(self, event: Event, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        """The alert after a void by the dealer that is one of many in a row."""
        if any(isinstance(one, Result) for one in effects):
            self.table = replace(self.table, calls=0)
        made_void = any(isinstance(one, Void) for one in effects)
        if not (made_void and isinstance(event, Act) and not event.floor):
            return ()
        self.table = replace(self.table, calls=self.table.calls + 1)
        calls = self.table.calls
        return (Alert("dealers-calls", parameters={"calls": calls}),) if calls >= CALLS_IN_A_ROW else ()

    def _after(self, event: Event, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        """Locks, faults that waited for this state, and equipment that must not be used for new wagers."""
        causes = [Text(one.cause, one.parameters) for one in effects if isinstance(one, Lock)]
        if causes:
            self._because(causes)
            self.table = replace(self.table, locked=True)
        return (*self._stopped(event, effects), *self._retired(event, effects))

    def _stopped(self, event: Event, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        """Stop by the faults that waited, if this state allows it."""
        due = [(one, self._policy(one)) for one in self.table.waiting]
        stopping = [one for one, policy in due if policy in (FaultPolicy.LOCK, FaultPolicy.CLOSE)]
        if self.table.locked:
            stopping = list(self.table.waiting)
        if not stopping:
            return ()
        kept = tuple(one for one in self.table.waiting if one not in stopping)
        self._because(one.cause for one in stopping)
        self.table = replace(self.table, waiting=kept)
        if self.table.locked or any(policy is FaultPolicy.LOCK for _, policy in due):
            self.table = replace(self.table, locked=True)
            return ()
        if self.rounds.state.value in self.rounds.closed:
            return ()
        # A round that opened at this moment has no wagers yet.
        closing = self._also(_closing(event.at_ns))
        return tuple(one for one in closing if not (_opens(effects) and isinstance(one, WagersReturned)))

    def _policy(self, waiting: Fault, state: Enum | None = None) -> FaultPolicy:
        """What a fault that waits does now, or would do in another state."""
        return self.rounds.on_fault(waiting.device, state or self.rounds.state)

    def _because(self, causes: Iterable[Text]) -> None:
        for cause in causes:
            if cause not in self.table.causes:
                self.table = replace(self.table, causes=(*self.table.causes, cause))

    def _retired(self, event: Event, effects: tuple[Effect, ...]) -> tuple[Effect, ...]:
        """No wager is accepted on dice or cards that have reached their age, however wagers came to be open."""
        equipment = self.rounds.in_use
        opened = _opens(effects)
        if opened and not self.table.locked and self.rounds.state.value not in self.rounds.closed:
            self.table = replace(self.table, causes=())
        was_due, open_now = self.table.due, self.rounds.wagers_open()
        due = open_now and not ages.fresh(self.table, equipment)
        if due != was_due:
            self.table = replace(self.table, due=due)
        if not open_now:
            return ()
        if was_due and not due:  # Other equipment is in use.
            return self._also(event, "reopened")
        if was_due or not due:
            return ()
        names = [one.name for one in equipment if not ages.fresh(self.table, (one,))]
        return () if opened else (WagersReturned(f"{names[0]}-retired"), Light(()))

    def _accepted(self, effects: Iterable[Effect]) -> Decision:
        return self._decision(Outcome.ACCEPTED, tuple(effects))

    def _noted(self, effects: tuple[Effect, ...], event: Event | None = None) -> Decision:
        after = self._after(event, effects) if event is not None else ()
        return self._decision(Outcome.NOTED, (*effects, *after))

    def _refused(self, event: Press | Act, why: Text = NOTHING) -> Decision:
        now, control = self.instruction(), event.control if isinstance(event, Press) else event.act
        refused = Refused(control, now.code, why.code, {**now.parameters, **why.parameters})
        return self._decision(Outcome.REFUSED, (refused,))

    def _decision(self, outcome: Outcome, effects: tuple[Effect, ...]) -> Decision:
        for effect in effects:
            if isinstance(effect, Light):
                self.lit = effect.areas
        return Decision(outcome, self.state.value, effects)

    # -- checkpoints ---------------------------------------------------------------------------------------

    def snapshot(self) -> dict[str, object]:
        snapshot: dict[str, object] = _SNAPSHOT.dump_python(
            TableSnapshot(self.table, self.rounds.snapshot(), self.lit), mode="json"
        )
        return snapshot

    def restore(self, snapshot: Mapping[str, object]) -> None:
        """Restore a snapshot. If it is refused, the machine is unchanged.

        Raises:
            ValueError: it is not of this game, or a field is missing, unknown or of another type; the message names
                the field.
        """
        found = read_back(_SNAPSHOT, snapshot)
        self.rounds.restore(found.round)
        self.table, self.lit = found.table, found.lit


def _without_wagers(decision: Decision) -> Decision:
    kept = tuple(one for one in decision.effects if not isinstance(one, WagersReturned))
    return Decision(decision.outcome, decision.state, kept)


def _opens(effects: Iterable[Effect]) -> bool:
    return any(isinstance(one, RoundOpened) for one in effects)


def _closing(at_ns: int) -> Act:
    return Act(at_ns, "close", "malfunction", floor=False)


def decides(effects: Iterable[Effect]) -> bool:
    """Whether these effects open, end or decide a round or an inspection.

    A press within a second of one that led to another state was meant for that one: it decides nothing.
    """
    return any(isinstance(one, _DECIDES) for one in effects)
