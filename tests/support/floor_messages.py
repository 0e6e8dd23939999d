"""Valid messages of tables for tests of the floor: rounds whose entries are chained as a journal chains them."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from itertools import groupby
from typing import Any, Literal

from controller.events.effect import Alert, Bonus, Effect, Note, Result, RoundOpened, Void, WagersReturned
from controller.events.event import (
    DealerLoggedOn,
    Direction,
    Event,
    FileTerms,
    HouseRules,
    Press,
    TableStarted,
    WheelRested,
)
from controller.events.record import Record
from controller.floor.ingest.validation import Arrived
from controller.journal.chain import GENESIS, Entry, chain, utc_text
from controller.journal.record import to_json
from controller.limits.table_state import TableState
from controller.machine.registry import find_game
from controller.messages.closed_round import RoundOpening, Whose, closed_round
from controller.messages.models import (
    AlertMessage,
    Message,
    OnlineMessage,
    RecordedEntry,
    RoundClosed,
    RoundPart,
    SpinResult,
    StateMessage,
    write,
)
from controller.messages.topics import Topic, of_table
from controller.round_summary.tally import summarize

BEGUN = datetime(2026, 3, 1, 12, tzinfo=UTC)
NOON_NS = int(BEGUN.timestamp()) * 1_000_000_000
HOUR_NS = 3600 * 1_000_000_000
LATER_NS = NOON_NS + 24 * HOUR_NS
"""When messages arrive, unless a test says otherwise."""
_TOPICS = {
    "OnlineMessage": Topic.ONLINE,
    "StateMessage": Topic.STATE,
    "RoundClosed": Topic.ROUND,
    "RoundPart": Topic.PART,
    "AlertMessage": Topic.ALERT,
    "HealthMessage": Topic.HEALTH,
}


def utc(minutes: float) -> str:
    """A time, so many minutes after the record began."""
    moment = BEGUN + timedelta(minutes=minutes)
    return utc_text(int(moment.timestamp() * 1000) * 1_000_000)


@dataclass(frozen=True)
class Said:
    """What the entries of every round of a record are to say, beside their number."""

    game: str = "big-six"
    wheel: str = ""
    dealer: str = ""
    replaces: str = ""
    results: Sequence[str] = ()
    voids: Sequence[str] = ()
    returned: Sequence[str] = ()
    corrections: int = 0
    spins: Sequence[SpinResult] = ()
    alerts: Sequence[str] = ()
    """``#`` stands for the round's number."""
    rules: Mapping[str, object] = field(default_factory=dict)
    begins: float = 0
    """Minutes from noon to the record's beginning."""
    apart: float = 1
    """Minutes from the end of a round to that of the next."""


@dataclass(frozen=True)
class Act:
    """An event, and the effects of the decision on it."""

    event: Event
    effects: Sequence[Effect] = ()


def _acts(said: Said, number: int, at_ns: int, salt: str) -> list[Act]:
    """What must happen in a round for its entries to say so; the first act of a record is the table's start."""
    acts: list[Act] = []
    if number == 0:
        terms = FileTerms("", "", "", "$", {}, HouseRules(dict(said.rules), {}, {}, {}))
        acts.append(Act(TableStarted(at_ns, 0, salt, "", said.replaces, "", terms, said.wheel)))
        if said.dealer:
            acts.append(Act(DealerLoggedOn(at_ns, 0, said.dealer)))
    acts += [Act(Press(at_ns, "correct"))] * said.corrections
    for (position, direction), group in groupby(said.spins, lambda one: (one.position, one.direction)):
        rested = WheelRested(at_ns, Direction(direction), 0, 1, True, position)
        acts.append(Act(rested, [Bonus(one.label, 1) for one in group]))
    return acts


def _decisions(said: Said, size: int, number: int, at_ns: int, salt: str) -> list[Record]:
    """The decisions of a round of so many entries; the last one opens the next round."""
    acts = _acts(said, number, at_ns, salt)
    assert len(acts) <= size, f"a round of {size} entries cannot say that: {len(acts)} are needed"
    acts += [Act(Press(at_ns, f"done{salt}"))] * (size - len(acts))
    closing: list[Effect] = [Alert(text.replace("#", str(number))) for text in said.alerts]
    closing += [*(Void(reason) for reason in said.voids), *(WagersReturned(reason) for reason in said.returned)]
    closing += [*(Result(label, ()) for label in said.results), Note(salt), RoundOpened(number + 1)]
    acts[-1] = replace(acts[-1], effects=[*acts[-1].effects, *closing])
    return [Record(act.event, "accepted", "bets-open", tuple(act.effects)) for act in acts]


def entries(sizes: Sequence[int], salt: str, changed_from: int | None, said: Said) -> list[list[Entry]]:
    """The entries of rounds of so many entries each.

    Args:
        salt: tells records apart.
        changed_from: from this round on, the entries are others.
    """
    head, seq = GENESIS, 0
    rounds: list[list[Entry]] = []
    house = HouseRules(dict(said.rules), {}, {}, {})
    state = TableState(dealer=said.dealer, wheel=said.wheel, rules=house)
    kept = {"game": said.game, "standing": state.snapshot(), "state": "bets-open", "data": {}, "lit": []}
    for number, size in enumerate(sizes):
        other = "another" if changed_from is not None and number >= changed_from else ""
        rounds.append([])
        for place, decision in enumerate(_decisions(said, size, number, seq, salt + other), 1):
            seq += 1
            checkpoint = json.dumps(kept) if place == size else None
            minutes = said.begins + (number + place / size) * said.apart
            content = (
                number,
                int(minutes * 60e9),
                utc(minutes),
                decision.event.kind,
                to_json(decision),
                checkpoint,
            )
            head = chain(head, seq, *content)
            rounds[-1].append(Entry(seq, *content, head))
    return rounds


def record(
    sizes: Sequence[int],
    table: str = "big-six-1",
    salt: str = "",
    changed_from: int | None = None,
    **said: Any,
) -> list[RoundClosed]:
    """The messages of a table's rounds, from the first entry of its record on.

    Args:
        said: what each round's entries say; see :class:`Said`.
    """
    says = Said(**said)
    rounds = entries(sizes, salt, changed_from, says)
    whose, opening, made = Whose(table, rounds[0][0].hash), None, []
    for covered in rounds:
        summary = summarize(opening.entry if opening else None, covered, says.game)
        held = [RecordedEntry(**entry._asdict()) for entry in covered]
        made.append(closed_round(whose, summary, opening, held))
        before = covered[-2].hash if len(covered) > 1 else opening.entry.hash if opening else GENESIS
        opening = RoundOpening(covered[-1], before)
    return made


def parts_of(message: RoundClosed, sizes: Sequence[int]) -> tuple[list[RoundPart], RoundClosed]:
    """A round's message in parts of so many entries, and the message with the rest."""
    assert message.entries is not None
    rest, previous, parts = list(message.entries), message.previous, []
    for size in sizes:
        held, rest = rest[:size], rest[size:]
        place: dict[str, Any] = {
            "first": held[0].seq,
            "previous": previous,
            "seq": held[-1].seq,
            "hash": held[-1].hash,
        }
        parts.append(RoundPart(table=message.table, record=message.record, entries=held, **place))
        previous = held[-1].hash
    return parts, message.model_copy(update={"entries": rest})


def spin(position: int, direction: Literal["clockwise", "counterclockwise", ""] = "clockwise") -> SpinResult:
    """A stop of the Big Six wheel."""
    order = find_game("big-six").wheel
    return SpinResult(position=position, of=len(order), label=order[position], direction=direction)


def alert_of(message: RoundClosed, part: int = 0, text: str = "the wheel is stuck") -> AlertMessage:
    """An alert of the last entry of a round."""
    place: dict[str, Any] = {"record": message.record, "seq": message.seq, "hash": message.hash, "part": part}
    return AlertMessage(table=message.table, at=message.closed, round=message.number, text=text, **place)


def state_after(message: RoundClosed, handed_over: int | None = None, **fields: Any) -> StateMessage:
    """The table's state after a round."""
    place: dict[str, Any] = {"record": message.record, "seq": message.seq, "hash": message.hash}
    given: dict[str, Any] = {
        "at": message.closed,
        "handed_over": message.seq if handed_over is None else handed_over,
        **fields,
    }
    return StateMessage(
        table=message.table,
        game=message.game,
        state="bets-open",
        round=message.number + 1,
        **place,
        **given,
    )


def online(table: str = "big-six-1", is_online: bool = True) -> OnlineMessage:
    return OnlineMessage(table=table, online=is_online, running=is_online, software="1.0" if is_online else "")


def arrived(message: Message, utc_ns: int = LATER_NS, retained: bool = False) -> Arrived:
    """A message as it comes from the broker."""
    return Arrived(of_table(message.table, _TOPICS[type(message).__name__]), write(message), utc_ns, retained)
