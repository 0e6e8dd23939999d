"""Journals of a release's golden files, cut short, and tables that go on from them with rules of their own."""

import json
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from config.schema import TableConfig
from controller.configuration.shipped import load_table
from controller.events.effect import Alert, Effect, Light, Note, Result, Void, Win
from controller.events.event import (
    BallLeftTrack,
    BallThrown,
    Direction,
    Event,
    PocketRead,
    Press,
    RulesChanged,
    ShakerCycled,
    TimerElapsed,
    WheelRested,
    WheelThrown,
    trigger,
)
from controller.journal.chain import Entry
from controller.journal.journal import Journal
from controller.runtime.assembly import on_simulated_hardware
from controller.runtime.devices import Devices
from controller.runtime.origin import Origin
from controller.runtime.table import Table
from controller.statechart.game import Game
from controller.statechart.machine import Decision, GameMachine
from controller.statechart.registry import find_game
from hal.mock.clock import VirtualClock
from hal.mock.devices import MockPanel, MockSounder, MockSwitches
from tests.golden import reading

GOLDEN = Path(__file__).parents[1] / "golden" / "0.1.0"
GAMES = ("big-six", "casino-war", "dreamcatcher", "roulette", "sic-bo", "three-dice-football")
NEW = "f" * 64
"""Digest of the software that goes on."""
FILE = "c"
"""Digest of its table's file."""
CW, CCW = Direction.CLOCKWISE, Direction.COUNTERCLOCKWISE
Machine = GameMachine[Any, Any]
Rules = Callable[[pytest.MonkeyPatch], None]


def golden(game: str) -> tuple[TableConfig, list[Entry]]:
    """The table of a golden journal, and its entries."""
    with TemporaryDirectory() as place:
        file = reading.unpacked(GOLDEN / game, Path(place))
        config = on_simulated_hardware(load_table(file.with_name(reading.TABLE)).config)
        with closing(Journal(file, read_only=True)) as journal:
            return config, list(journal.entries())


def kinds_of(entry: Entry) -> list[str]:
    """The kinds of an entry's effects."""
    return [effect["kind"] for effect in json.loads(entry.body)["effects"]]


def state_of(entry: Entry) -> str:
    return str(json.loads(entry.body)["state"])


def eventful(entries: Sequence[Entry]) -> list[list[Entry]]:
    """Two rounds with a result, from their checkpoints on: those of the most states, of all and of the settled."""
    rounds: list[list[Entry]] = []
    for entry in entries:
        if rounds:
            rounds[-1].append(entry)
        if entry.checkpoint is not None:
            rounds.append([entry])
    fit = [
        found[:-1] for found in rounds if len(found) < 45 and any("result" in kinds_of(one) for one in found[1:])
    ]
    settled = [found for found in fit if {"winners-paid", "settled"} & set(map(state_of, found))]
    return [max(some, key=lambda found: len(set(map(state_of, found)))) for some in (settled, fit)]


def cut(start: Entry, kept: Sequence[Entry], version: str = "") -> Journal:
    """A journal of a table's start and of these entries; with a version, its starts name that one and FILE."""
    journal = Journal(None)
    for entry in (start, *kept):
        body = entry.body
        if version and entry.kind in ("table-started", "power-restored"):
            whole = json.loads(body)
            whole["fact"] |= {"version": version, "software": NEW, "configuration": FILE}
            body = json.dumps(whole)
        journal.append(entry.round, entry.at_ns, 0, entry.kind, body, entry.checkpoint)
    return journal


class Going:
    """A table that goes on from a journal, without wheel or keys: events are handed to it."""

    def __init__(self, config: TableConfig, machine: Machine, journal: Journal) -> None:
        clock = VirtualClock()
        self.panel = MockPanel(config.devices.panel.lamps)
        devices = Devices(MockSwitches((), clock), self.panel, MockSounder(), {})
        self.table = Table(config.game, machine, journal, devices, clock, Origin(FILE, NEW))
        self.journal, self.began = journal, len(journal)
        self.table.start()

    @property
    def machine(self) -> Machine:
        return self.table.machine

    def press(self, *controls: str) -> None:
        self.table.take([Press(1, control, 7_000) for control in controls])

    def recorded(self) -> list[Any]:
        """What was recorded since the start: kinds of events and of effects."""
        return [(entry.kind, kinds_of(entry)) for entry in self.journal.entries(after=self.began)]

    def play(self) -> None:
        """Open the table, if it is not open, and play to a result."""
        game = find_game(self.table.recorder.game)
        self._open(game)
        assert self.machine.state.value == "bets-open", self.machine.waiting_for()
        self._to_result(game)

    def _open(self, game: Game) -> None:
        take = self.table.take
        if game.wheel:
            take([WheelRested(5, None, 0, 1440, True, 0)])
        elif game.dice:
            self.press("floor-key", "2", "floor-key", "1")
            for roll in ("123", "444", "566"):
                self.press(*roll, "enter", "floor-key")
            while self.machine.state.value == "inspection-lamps" and self.machine.data.trying:
                take([TimerElapsed(6, "inspection-lamp")])
            self.press("floor-key")
            for _ in range(3 if self.machine.state.value == "inspection-shaker" else 0):
                take([ShakerCycled(6)])
                self.press("floor-key")
        elif game.pockets is not None:
            self.press("floor-key", "1", "4", "enter", "floor-key", "floor-key")
            take([BallLeftTrack(7, 6, 5, CW, CCW)])
            while self.machine.state.value == "inspecting":
                self.press("floor-key")
        else:
            self.press("floor-key", "1", "enter")

    def _to_result(self, game: Game) -> None:
        take = self.table.take
        if game.wheel:
            section = next(number for number, name in enumerate(game.wheel) if name in game.areas)
            self.press("no-more-bets")
            take([WheelThrown(2, CW), WheelRested(5, CW, 6000, 1440, True, section)])
        elif game.pockets is not None:
            take([BallThrown(4, CW)])
            self.press("no-more-bets")
            take([BallLeftTrack(7, 6, 5, CW, CCW), PocketRead(8, "17")])
            self.press("1", "7", "enter")
        elif game.dice or game.name == "three-dice-football":
            self.press("no-more-bets")
            take([ShakerCycled(6)])
            self.press("3", "4", "6", "enter")
        else:
            self.press("no-more-bets", "1", "enter", "king", "2", "enter")


# -- other rules ---------------------------------------------------------------------------------------------------


def _lights_less(effect: Effect) -> Effect:
    return replace(effect, areas=effect.areas[1:]) if isinstance(effect, Light) else effect


def _wins_elsewhere(effect: Effect) -> Effect:
    if not isinstance(effect, Result):
        return effect
    return replace(effect, wins=(*effect.wins[1:], Win("elsewhere", "1 to 1")))


def _says_otherwise(effect: Effect) -> Effect:
    if isinstance(effect, Note | Alert):
        return replace(effect, text=f"{effect.text}, in other words")
    return replace(effect, detail="other words") if isinstance(effect, Void) else effect


def _decides(change: Callable[[Event, Decision], Decision]) -> Rules:
    """What the game decides is changed."""

    def rules(patch: pytest.MonkeyPatch) -> None:
        handle = GameMachine.handle

        def handles(machine: Machine, event: Event) -> Decision:
            of_game = not (machine.held or isinstance(event, RulesChanged))
            decision = handle(machine, event)
            return change(event, decision) if of_game else decision

        patch.setattr(GameMachine, "handle", handles)

    return rules


def _effects(change: Callable[[Effect], Effect]) -> Rules:
    return _decides(lambda event, decision: decision._replace(effects=tuple(map(change, decision.effects))))


def _raises(event: Event, decision: Decision) -> Decision:
    if trigger(event) in ("press no-more-bets", "press done"):
        raise LookupError("no such rule")
    return decision


def _without(control: str) -> Rules:
    """A control is refused."""

    def rules(patch: pytest.MonkeyPatch) -> None:
        handle = GameMachine.handle

        def handles(machine: Machine, event: Event) -> Decision:
            return machine._answer(event) if trigger(event) == control else handle(machine, event)

        patch.setattr(GameMachine, "handle", handles)

    return rules


OTHER_STATES = _without("press no-more-bets")
OTHER_END = _without("press done")
OTHER_LAMPS = _effects(_lights_less)
OTHER_WINS = _effects(_wins_elsewhere)
OTHER_WORDS = _effects(_says_otherwise)
RAISES = _decides(_raises)


@contextmanager
def under(rules: Rules) -> Iterator[None]:
    """While these rules apply."""
    with pytest.MonkeyPatch.context() as patch:
        rules(patch)
        yield
