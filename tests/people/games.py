"""What the exploration cannot know of each game: its tables, what sensors report there, and what people key."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from people.explored import FLOOR, UTC_NS, Table, Tables

from config.schema import TableConfig
from controller.configuration.machines import table_machine
from controller.events.event import (
    Act,
    BallLeftTrack,
    BallRevolution,
    BallThrown,
    DealerLoggedOn,
    Direction,
    Event,
    Fault,
    Health,
    PocketRead,
    Press,
    ReaderFault,
    SensorHealth,
    ShakerCycled,
    ShakerFailed,
    TimerElapsed,
    WheelRested,
    WheelThrown,
)
from controller.events.words import Text, text
from controller.games.casino_war.rules import RANKS
from controller.games.clapper_wheel.rules import VOIDS
from controller.machine.registry import find_game
from controller.table.machine import TableMachine

VOID, CALLED = "floor: void", "dealer: no more bets"
Holds = Callable[[str, Any], object]


def _kinds(kinds: Mapping[str, Holds]) -> Callable[[str, Any], Iterable[str]]:
    """The kinds of what was keyed, by when they hold for a state and the round's data."""
    return lambda state, data: (kind for kind, holds in kinds.items() if holds(state, data))


def _act(act: str, argument: str = "") -> Act:
    """By the floorperson."""
    return Act(0, act, argument, UTC_NS, FLOOR)


def table_of(config: TableConfig, **rules: object) -> TableMachine:
    """A machine of this table, with other rules."""
    changed = config.model_copy(update={"rules": {**config.rules, **rules}})
    return table_machine(find_game(config.game), changed)


# -- wheels with a clapper -----------------------------------------------------------------------------------------

_TURN = 54
_WHEEL: Mapping[str, Holds] = {
    # A void that the floorperson called, until the next throw.
    VOID: lambda state, data: (
        data.void in VOIDS and (state == "void-spin" or (state == "respin" and data.spun is not None))
    ),
    CALLED: lambda state, data: state == "no-more-bets",
}


def wheels(config: TableConfig) -> Iterator[Table]:
    machine, order = table_of(config), find_game(config.game).wheel
    names = (order[1], *list(machine.rounds.again)[:1])
    spins = {f"rests in {name}": _rested(3 * _TURN, section=order.index(name)) for name in names}
    by_hand = {"is thrown": WheelThrown(0, Direction.CLOCKWISE), "is turned": _rested(_TURN, section=1), **spins}
    others: dict[str, Event] = {
        "rests too early": _rested(3 * _TURN - 1, section=1),
        "rests on a peg": _rested(3 * _TURN, boundary=1),
        "rests, touched": _rested(3 * _TURN, section=1, touched=Text("pushed-back")),
        "rests in doubt": _rested(3 * _TURN, fault=Fault("encoder", Health.LOSSY, text("edges-lost", edges=3))),
        "rests nowhere": _rested(3 * _TURN, located=False),
        "is moved a little": _rested(3, located=False),
        "clapper noisy": SensorHealth(0, "clapper", Health.NOISY, Text("too-fast")),
        "no more bets while it moves": Press(0, "no-more-bets", 1, moving=True),
    }
    yield Table("a table", machine, {**by_hand, **others}, keyed=_kinds(_WHEEL), hands=frozenset(by_hand))


def _rested(counts: int, located: bool = True, **found: Any) -> WheelRested:
    return WheelRested(0, Direction.CLOCKWISE, counts, _TURN, located, **found)


# -- dice ----------------------------------------------------------------------------------------------------------

_DICE: Mapping[str, Holds] = {
    "floor: dice": lambda state, data: data.result,
    "floor: die": lambda state, data: data.entry and not data.result and state == "toss-in-doubt",
    "dealer: die": lambda state, data: data.entry and not data.result and state != "toss-in-doubt",
    CALLED: lambda state, data: (
        state == "shaking" and not (data.result or data.entry or data.automated or data.resumed)
    ),
    VOID: lambda state, data: data.voided,
}


def sic_bo(config: TableConfig) -> Iterator[Table]:
    for shaker in ("manual", "automated"):
        dice = config.dice.model_copy(update={"shaker": shaker})
        yield Table(
            f"{shaker} shaker",
            table_of(config.model_copy(update={"dice": dice})),
            {"shaker tosses": ShakerCycled(0), "shaker fails": ShakerFailed(0)},
            start=tuple(_inspected(config, shaker == "automated")),
            skip=frozenset("23456780"),
            keyed=_kinds(_DICE),
            contradicted=lambda state, data: ("shaker-failed", "not-tossed") if data.tossed else (),
        )


def _inspected(config: TableConfig, automated: bool) -> Iterator[Event]:
    """New dice, three values, each lamp alone, and three cycles of the shaker."""
    yield _act("renew", "shaker-dice" if automated else "dice")
    yield _act("inspect")
    for _ in range(3):
        yield from (Press(0, key) for key in ("1", "1", "1", "enter"))
        yield _act("confirm", "inspected-value")
    yield from (TimerElapsed(0, "inspection-lamp") for _ in find_game(config.game).areas)
    yield _act("confirm", "inspected-lamps")
    for _ in range(3 if automated else 0):
        yield from (ShakerCycled(0), _act("confirm", "inspected-cycle"))


# -- football ------------------------------------------------------------------------------------------------------

_SETTLES = ("settling", "settled", "extra-point-offered")
_FOOTBALL: Mapping[str, Holds] = {
    "dealer: position": lambda state, data: data.position,
    "dealer: die": lambda state, data: data.entry and state not in _SETTLES,
    CALLED: lambda state, data: state == "throw" and not (data.seen or data.corrects),
    "floor: dice": lambda state, data: state in _SETTLES or data.touchdown,
    "floor: extra point answer": lambda state, data: data.touchdown and not data.corrects,
    VOID: lambda state, data: data.called_off is not None,
}


def football(config: TableConfig) -> Iterator[Table]:
    yield Table(
        "a table",
        table_of(config),
        skip=frozenset("345780"),
        keyed=_kinds(_FOOTBALL),
        exits=frozenset({"dice-offered"}),
        new_wagers=lambda state, data: state == "bets-open" and data.begins,
    )


# -- cards ---------------------------------------------------------------------------------------------------------

_RANKS = frozenset({"3", "4", "5", "6", "7", "8", "10", "jack", "queen", "ace"})
_WAR: Mapping[str, Holds] = {
    "dealer: card": lambda state, data: state in ("deal", "war-deal") and data.keyed,
    CALLED: lambda state, data: (
        not data.wagers_closed and (state == "positions" or (state == "deal" and not data.keyed))
    ),
    "floor: cards": lambda state, data: data.results and state in ("decision", "settling", "settled"),
    "dealer: choice": lambda state, data: data.chosen and not data.corrects,
    VOID: lambda state, data: data.voided is not None,
}


def casino_war(config: TableConfig) -> Iterator[Table]:
    for positions, left in ((1, 5), (2, 200)):
        yield Table(
            f"{positions} positions, {left} cards",
            table_of(config, positions=positions),
            {"another dealer": DealerLoggedOn(0, UTC_NS, "8")},
            start=(_act("open"), Press(0, "enter")),
            first=partial(_dealt, cards=312 - left),
            skip=_RANKS,
            keyed=_kinds(_WAR),
            exits=frozenset({"shuffle"}),
        )


def _dealt(data: Any, cards: int) -> Any:
    """So many cards have left the shoe, two nines among those that are left."""
    return replace(data, dealt=cards, seen=tuple(22 if rank == "9" else 0 for rank in RANKS))


# -- roulette ------------------------------------------------------------------------------------------------------

_ONE_WAY, _OTHER = Direction.CLOCKWISE, Direction.COUNTERCLOCKWISE
_ROULETTE: Mapping[str, Holds] = {
    "dealer: number": lambda state, data: state in ("entry", "deciding") and (data.entry or data.keyed),
    "floor: number": lambda state, data: state in ("result", "losers-collected", "winners-paid"),
    VOID: lambda state, data: (
        state == "respin"
        and not data.untimely
        and (data.void == "double-zero" or (data.off == "down" and data.called))
    ),
}


def roulette(config: TableConfig) -> Iterator[Table]:
    noise = Fault("ball", Health.NOISY, Text("no-balls-pulses"))
    hands: dict[str, Event] = {
        "is thrown": BallThrown(0, _ONE_WAY),
        "leaves the track": _left(),
        "is read": PocketRead(2, "17"),
    }
    others: dict[str, Event] = {
        "makes a revolution": BallRevolution(0, 1, _ONE_WAY, True),
        "runs with the wheel": BallRevolution(0, 1, _ONE_WAY, False),
        "leaves too soon": _left(3),
        "leaves the wheel": _left(early=True),
        "ran with the wheel": _left(rotor=_ONE_WAY),
        "the wheel stood": _left(rotor=None),
        "the beams disagree": _left(fault=noise),
        "is read too soon": PocketRead(0, "17"),
        "is read elsewhere": PocketRead(2, "1"),
        "reader noisy": ReaderFault(0, "noise"),
    }
    for wheel in (config.rules["wheel"], "double-zero-as-single"):
        yield Table(
            str(wheel),
            table_of(config, wheel=wheel),
            {**hands, **others},
            skip=frozenset("2345689"),
            keyed=_kinds(_ROULETTE),
            hands=frozenset(hands),
        )


def _left(revolutions: int = 4, **found: Any) -> BallLeftTrack:
    return BallLeftTrack(2, 1, revolutions, _ONE_WAY, **{"rotor": _OTHER, **found})


GAMES: Mapping[str, Tables] = {
    "dreamcatcher": wheels,
    "big-six": wheels,
    "sic-bo": sic_bo,
    "three-dice-football": football,
    "casino-war": casino_war,
    "roulette": roulette,
}
