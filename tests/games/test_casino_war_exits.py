"""Every state of a Casino War table that presses reach has an exit for the floorperson, and the truth can be keyed.

The machine is explored breadth-first with an almost empty shoe, up to three positions and two ranks: every state
that any order of presses reaches within a round, with its data. A dead end is one that six presses of the
floorperson do not leave without a card or a choice that nobody made.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

import pytest

from controller.configuration.shipped import load_table, table_path
from controller.events.effect import Effect, Note, Refused, Result, Void, WagersReturned
from controller.events.event import Press
from controller.games.casino_war.game import GAME
from controller.games.casino_war.play import WarData, WarState
from controller.games.casino_war.round import WarRound
from controller.games.casino_war.rules import CARDS_OF_A_DECK, RANKS
from controller.statechart.machine import Transition

S = WarState
DECKS = 6
CARDS = DECKS * CARDS_OF_A_DECK
MOST, MOST_IN_CAMPAIGN = 1_500, 20_000
"""States that are explored, the nearest first: a press of the menu adds data that others repeat."""
WITHIN = 6
"""Presses within which an exit must lie."""
DEALT = ("9", "king")
"""The ranks that are dealt: no key of a position."""
CHOSEN = {*DEALT, "war", "surrender"}
"""What a floorperson may not invent."""
Node = tuple[WarState, WarData]


class Presses:
    """What a machine does on a press, as a function of its state and data."""

    def __init__(self, machine: WarRound) -> None:
        self._rows: dict[tuple[WarState, str], list[Transition[WarState, WarData]]] = {}
        for row in machine.transitions:
            self._rows.setdefault((row.source, row.on), []).append(row)

    def taken(self, node: Node, control: str) -> tuple[Node, tuple[Effect, ...]] | None:
        """The state after a press, and its effects; None if it is refused."""
        state, data = node
        event = Press(0, control, utc_ns=1)
        for row in self._rows.get((state, f"press {control}"), ()):
            if row.guard is None or row.guard(data, event):
                step = row.action(data, event)
                return (row.to or state, step.data), step.effects
        return None


@dataclass(frozen=True)
class Explored:
    """The presses that a machine takes in each state that is reached."""

    presses: Presses
    moves: dict[Node, dict[str, Node]]


def war_machine(positions: int) -> WarRound:
    config = load_table(table_path("casino-war")).config
    machine = GAME.machine(config.model_copy(update={"rules": {**config.rules, "positions": positions}}))
    assert isinstance(machine, WarRound)
    return machine


@cache
def explore(positions: int, left: int, most: int = MOST) -> Explored:
    """Every state of one round with so many cards left in the shoe; a round that opens after it is not played."""
    machine = war_machine(positions)
    presses = Presses(machine)
    # Two cards of the rank 9 are left by the count: it runs out before the shoe does.
    seen = tuple(DECKS * 4 - 2 if rank == "9" else 0 for rank in RANKS)
    data = replace(machine.data, fitted_utc_ns=1, round=1, dealt=CARDS - left, seen=seen)
    first: Node = (S.BETS_OPEN, data)
    controls = [*map(str, range(10)), "no-more-bets", "done", "clear", "enter", "correct", "void"]
    controls += [*DEALT, "war", "surrender", "floor-key"]
    moves: dict[Node, dict[str, Node]] = {}
    frontier = deque([first])
    while frontier and len(moves) < most:
        node = frontier.popleft()
        if node in moves:
            continue
        moves[node] = {}
        if node[1].round > 1 or node[0] in (S.SHUFFLE, S.CLOSED):
            continue
        for control in controls:
            # Digits that are ranks are dealt by the keys of DEALT alone, so that the states stay few.
            if control.isdigit() and node[0] in (S.DEAL, S.WAR_DEAL):
                continue
            found = presses.taken(node, control)
            if found is not None and found[0] != node:
                moves[node][control] = found[0]
                frontier.append(found[0])
    return Explored(presses, moves)


def is_exit(node: Node) -> bool:
    """The round is over: the next one is open, cards are shuffled, or the table is closed."""
    return node[0] in (S.SHUFFLE, S.CLOSED, S.BETS_OPEN)


def exits(explored: Explored) -> dict[Node, int]:
    """How many presses of the floorperson lead out of each state; states without an exit are missing."""
    before: dict[Node, list[Node]] = {}
    for node, presses in explored.moves.items():
        for control, to in presses.items():
            if control not in CHOSEN:
                before.setdefault(to, []).append(node)
    # An exit counts where it is reached, explored further or not.
    away = {node: 0 for node in (*explored.moves, *before) if is_exit(node)}
    frontier = deque(away)
    while frontier:
        node = frontier.popleft()
        for one in before.get(node, ()):
            if one not in away:
                away[one] = away[node] + 1
                frontier.append(one)
    return away


SHOES = [(1, 2), (1, 5), (2, 0), (2, 9), (3, 5)]
WHOLE = [pytest.param(*shoe, MOST_IN_CAMPAIGN, marks=pytest.mark.campaign) for shoe in SHOES]
EXPLORED = pytest.mark.parametrize(("positions", "left", "most"), [*((*shoe, MOST) for shoe in SHOES), *WHOLE])


@EXPLORED
def test_no_count_of_cards_leaves_a_state_without_an_exit(positions: int, left: int, most: int) -> None:
    explored = explore(positions, left, most)
    away = exits(explored)
    whole = (node for node, presses in explored.moves.items() if explored.moves.keys() >= set(presses.values()))
    stuck = [node for node in whole if away.get(node, WITHIN + 1) > WITHIN]
    assert len(explored.moves) > 100
    assert not stuck, f"{len(stuck)} dead ends, the first: {stuck[0][0].value}: {stuck[0][1]}"


@EXPLORED
def test_a_card_that_was_dealt_can_be_keyed_whatever_the_count_says(positions: int, left: int, most: int) -> None:
    """With the floorperson's key, who finds the count wrong; the cards are then shuffled after the round."""
    explored = explore(positions, left, most)
    for node in card_is_due(explored):
        for rank in DEALT:
            assert _keyed(explored.presses, node, rank), f"{rank} is dealt and cannot be keyed: {node}"


def card_is_due(explored: Explored) -> Iterator[Node]:
    for state, data in explored.moves:
        if state is S.DEAL and len(data.cards) <= len(data.seats):
            yield state, data
        if state is S.WAR_DEAL and len(data.war_cards) <= len(data.war):
            yield state, data


def _keyed(presses: Presses, node: Node, rank: str) -> bool:
    if presses.taken(node, rank) is not None:
        return True
    for control in ("floor-key", "8"):
        found = presses.taken(node, control)
        if found is None:
            return False
        node = found[0]
    found = presses.taken(node, rank)
    return found is not None and found[0][1].cover


@EXPLORED
def test_no_press_of_the_dealer_alone_voids_a_result(positions: int, left: int, most: int) -> None:
    """What is on record is voided by the floorperson's menu, or by a correction that the key allowed."""
    explored = explore(positions, left, most)
    for node in explored.moves:
        for control in ("clear", "void", "no-more-bets", "done", "enter", "war", "surrender", "burn"):
            if node[0] in (S.MENU, S.CORRECTING) or node[1].corrects:
                continue
            found = explored.presses.taken(node, control)
            effects = found[1] if found is not None else ()
            assert not any(isinstance(effect, Void) for effect in effects), (control, node)


def test_a_dead_round_returns_the_wagers_and_says_what_was_on_record() -> None:
    machine = war_machine(2)
    presses = Presses(machine)
    data = replace(machine.data, fitted_utc_ns=1, round=1, dealt=100)
    node: Node = (S.BETS_OPEN, data)
    effects: tuple[Effect, ...] = ()
    for control in ("no-more-bets", "1", "enter", "9", "king", "enter", "floor-key", "7"):
        found = presses.taken(node, control)
        assert found is not None, (control, node)
        node, effects = found
    assert node[0] is S.BETS_OPEN
    assert [effect.reason for effect in effects if isinstance(effect, Void | WagersReturned)] == ["dead-round"] * 2
    assert "9-king" in next(effect.detail for effect in effects if isinstance(effect, Void))
    assert not any(isinstance(effect, Result) for effect in effects)


def test_each_refusal_says_why_and_what_to_press_instead() -> None:
    """A card that the count excludes: at the end of the shoe, of a rank, and after the last one of a deal."""
    machine = war_machine(1)
    for control in ("floor-key", "1", "enter", "no-more-bets", "1", "enter"):
        machine.handle(Press(0, control, utc_ns=1))
    data = machine.data
    machine.data = replace(data, dealt=CARDS)
    assert "by the count the shoe is empty" in _refused(machine, "king")
    assert "by the count the shoe is empty" in _refused(machine, "burn")
    machine.data = replace(data, seen=tuple(24 if rank == "9" else 0 for rank in RANKS))
    assert "by the count all 24 cards of rank 9 are dealt" in _refused(machine, "9")
    assert "floorperson's key" in _refused(machine, "9")
    machine.data = replace(data, cards=("9", "9"))
    assert "all cards of this deal are keyed" in _refused(machine, "9")


def _refused(machine: WarRound, control: str) -> str:
    (effect,) = machine.handle(Press(0, control, utc_ns=1)).effects
    assert isinstance(effect, Refused)
    return effect.waiting_for


def test_the_floorperson_who_finds_the_count_wrong_is_on_record() -> None:
    machine = war_machine(1)
    node: Node = (S.DEAL, replace(machine.data, round=1, seats=(1,), dealt=CARDS, fitted_utc_ns=1))
    presses = Presses(machine)
    opened = presses.taken(node, "floor-key")
    assert opened is not None
    found = presses.taken(opened[0], "8")
    assert found is not None
    (state, data), effects = found
    assert (state, data.cover, data.seats) == (S.DEAL, True, (1,))
    assert any(isinstance(effect, Note) and "count" in effect.text for effect in effects)
