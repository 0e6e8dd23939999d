"""What the exploration cannot know of each game: its tables, what sensors report there, and what people key."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from people.explored import FLOOR, UTC_NS, Table, Tables

from config.schema import TableConfig
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
from controller.games.clapper_wheel.rules import VOIDS, WheelData
from controller.machine.game import words_of
from controller.machine.registry import find_game
from controller.table.machine import TableMachine


def _act(act: str, argument: str = "") -> Act:
    """By the floorperson."""
    return Act(0, act, argument, UTC_NS, FLOOR)


def table_of(config: TableConfig) -> TableMachine:
    game = find_game(config.game)
    return TableMachine(game.machine(config), words_of(game))


# -- wheels with a clapper -----------------------------------------------------------------------------------------

_TURN = 54


def wheels(config: TableConfig) -> Iterator[Table]:
    machine, order = table_of(config), find_game(config.game).wheel
    again = machine.rounds.again
    sections = {f"rests in {name}": order.index(name) for name in (order[1], *list(again)[:1])}
    spins = {name: _rested(3 * _TURN, section=section) for name, section in sections.items()}
    by_hand = {"is thrown": WheelThrown(0, Direction.CLOCKWISE), "is turned": _rested(_TURN, section=1), **spins}
    others: dict[str, Event] = {
        "rests too early": _rested(3 * _TURN - 1, section=1),
        "rests on a peg": _rested(3 * _TURN, boundary=1),
        "rests, touched": _rested(3 * _TURN, section=1, touched=Text("pushed-back")),
        "rests in doubt": _rested(3 * _TURN, fault=Fault("encoder", Health.LOSSY, text("edges-lost", edges=3))),
        "rests nowhere": _rested(3 * _TURN, located=False),
        "is moved a little": _rested(3, located=False),
        "encoder silent": SensorHealth(0, "encoder", Health.SILENT, Text("not-counting")),
        "no more bets while it moves": Press(0, "no-more-bets", 1, moving=True),
    }
    yield Table(
        "a table",
        machine,
        {**by_hand, **others},
        keyed=_wheel_keyed,
        hands=frozenset(by_hand),
    )


def _rested(counts: int, located: bool = True, **found: Any) -> WheelRested:
    return WheelRested(0, Direction.CLOCKWISE, counts, _TURN, located, **found)


def _wheel_keyed(state: str, data: WheelData) -> tuple[str, ...]:
    """The call, until the wheel is thrown; a void that the floorperson called, until the next throw."""
    called = state == "void-spin" and data.void in VOIDS
    if called or (state == "respin" and data.spun is not None and data.void in VOIDS):
        return ("floor: void",)
    return ("dealer: no more bets",) if state == "no-more-bets" else ()


# -- dice ----------------------------------------------------------------------------------------------------------


def sic_bo(config: TableConfig) -> Iterator[Table]:
    assert config.dice is not None
    for shaker in ("manual", "automated"):
        dice = config.dice.model_copy(update={"shaker": shaker})
        machine = table_of(config.model_copy(update={"dice": dice}))
        yield Table(
            f"{shaker} shaker",
            machine,
            {"shaker tosses": ShakerCycled(0), "shaker fails": ShakerFailed(0)},
            start=tuple(_inspected(config, shaker == "automated")),
            skip=frozenset("23456780"),
            keyed=_dice_keyed,
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


def _dice_keyed(state: str, data: Any) -> Iterator[str]:
    if data.result:
        yield "floor: dice"
    elif data.entry:
        yield "floor: die" if state == "toss-in-doubt" else "dealer: die"
    elif state == "shaking" and not (data.automated or data.resumed):
        yield "dealer: no more bets"
    if data.voided:
        yield "floor: void"


# -- football ------------------------------------------------------------------------------------------------------


def football(config: TableConfig) -> Iterator[Table]:
    yield Table(
        "a table",
        table_of(config),
        skip=frozenset("345780"),
        keyed=_football_keyed,
        exits=frozenset({"dice-offered"}),
        new_wagers=lambda state, data: state == "bets-open" and data.begins,
    )


def _football_keyed(state: str, data: Any) -> Iterator[str]:
    on_record = state in ("settling", "settled", "extra-point-offered")
    if data.position:
        yield "dealer: position"
    if data.entry and not on_record:
        yield "dealer: die"
    if state == "throw" and not (data.seen or data.corrects):
        yield "dealer: no more bets"
    if on_record or data.touchdown:
        yield "floor: dice"
    if data.touchdown and not data.corrects:
        yield "floor: extra point answer"
    if data.called_off is not None:
        yield "floor: void"


# -- cards ---------------------------------------------------------------------------------------------------------

_RANKS = frozenset({"3", "4", "5", "6", "7", "8", "10", "jack", "queen", "ace"})


def casino_war(config: TableConfig) -> Iterator[Table]:
    opening = (_act("open"), Press(0, "enter"))
    for positions, left in ((1, 5), (2, 200)):
        rules = {**config.rules, "positions": positions}
        yield Table(
            f"{positions} positions, {left} cards",
            table_of(config.model_copy(update={"rules": rules})),
            {"another dealer": DealerLoggedOn(0, UTC_NS, "8")},
            start=opening,
            first=partial(_dealt, cards=312 - left),
            skip=_RANKS,
            keyed=_war_keyed,
            exits=frozenset({"shuffle"}),
        )


def _dealt(data: Any, cards: int) -> Any:
    """So many cards have left the shoe, two nines among those that are left."""
    return replace(data, dealt=cards, seen=tuple(22 if rank == "9" else 0 for rank in RANKS))


def _war_keyed(state: str, data: Any) -> Iterator[str]:
    if state in ("deal", "war-deal") and data.keyed:
        yield "dealer: card"
    elif state in ("positions", "deal") and not data.wagers_closed:
        yield "dealer: no more bets"
    if data.results and state in ("decision", "settling", "settled"):
        yield "floor: cards"
    if data.chosen and not data.corrects:
        yield "dealer: choice"
    if data.voided is not None:
        yield "floor: void"


# -- roulette ------------------------------------------------------------------------------------------------------

_ONE_WAY, _OTHER = Direction.CLOCKWISE, Direction.COUNTERCLOCKWISE


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
        rules = {**config.rules, "wheel": wheel}
        yield Table(
            str(wheel),
            table_of(config.model_copy(update={"rules": rules})),
            {**hands, **others},
            skip=frozenset("2345689"),
            keyed=_roulette_keyed,
            hands=frozenset(hands),
        )


def _left(revolutions: int = 4, **found: Any) -> BallLeftTrack:
    return BallLeftTrack(2, 1, revolutions, _ONE_WAY, **{"rotor": _OTHER, **found})


def _roulette_keyed(state: str, data: Any) -> Iterator[str]:
    if state in ("entry", "deciding") and (data.entry or data.keyed):
        yield "dealer: number"
    if state in ("result", "losers-collected", "winners-paid"):
        yield "floor: number"
    if (
        state == "respin"
        and not data.untimely
        and (data.void == "double-zero" or (data.off == "down" and data.called))
    ):
        yield "floor: void"


GAMES: Mapping[str, Tables] = {
    "dreamcatcher": wheels,
    "big-six": wheels,
    "sic-bo": sic_bo,
    "three-dice-football": football,
    "casino-war": casino_war,
    "roulette": roulette,
}
