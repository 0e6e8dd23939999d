"""A slip in a typical round of every game: it ends right, at most two presses later (docs/presses.md)."""

from collections.abc import Callable
from pathlib import Path

import pytest
import roulette_table
from dice_inspection import open_dice
from limits_table import new
from open_tables import opened
from slips import Round, round_since

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.statechart.registry import game_names

PAGE = Path(__file__).parents[2] / "docs" / "presses.md"
MOST = 2
"""So many presses more may a slip cost."""


def shipped(name: str) -> TableConfig:
    return load_table(table_path(name)).config


def wheel(name: str, stop_on: str = "10") -> Round:
    table = new(shipped(name))
    return played(table, lambda: table.press("no-more-bets"), lambda: table.spin(stop_on=stop_on), *settled(table))


def settled(table: Rig) -> tuple[Callable[[], None], ...]:
    return (lambda: table.press("done", "done", "clear"),)


def dice() -> Round:
    table = Rig(shipped("sic-bo"))
    open_dice(table)
    return played(table, lambda: table.press("no-more-bets", *"123", "enter", "done", "clear"))


def football() -> Round:
    table = opened(shipped("three-dice-football"))
    return played(table, lambda: table.press("no-more-bets", *"342", "enter", "no-more-bets"))


def roulette() -> Round:
    table = roulette_table.opened(shipped("roulette"))

    def ball() -> None:
        roulette_table.spin(table, into="36", rest=False)
        table.wait(4)

    def down() -> None:
        table.ball_rest()
        table.press(*"36")
        table.wait(10)

    return played(table, ball, lambda: table.press("no-more-bets"), down, lambda: table.press("done", "clear"))


def war(cards: str, *after: str) -> Round:
    table = opened(shipped("casino-war"))
    table.press("no-more-bets", *"14", "enter", "king", "king", "2", "enter", "done", "clear")
    return played(table, lambda: table.press("no-more-bets", *cards.split(), "enter", *after))


def played(table: Rig, *acts: Callable[[], None]) -> Round:
    """The acts of a round, from where wagers are open."""
    machine, before = table.machine, len(table.records())
    node = machine.state, machine.data, machine.lit
    for act in acts:
        act()
    return round_since(table, before, node)


ROUNDS: dict[str, Callable[[], Round]] = {
    "dreamcatcher": lambda: wheel("dreamcatcher"),
    "big-six": lambda: wheel("big-six"),
    "sic-bo": dice,
    "three-dice-football": football,
    "roulette": roulette,
    "casino-war": lambda: war("king queen 2", "done", "clear"),
    "casino-war, a war": lambda: war(
        "9 king 9", "done", "done", "war", *["done"] * 5, "king", "2", "enter", "done", "clear"
    ),
}

EXCEPTIONS: dict[tuple[str, str], tuple[int, str]] = {
    ("sic-bo", "entry"): (4, "clear wipes an unfinished entry"),
    ("three-dice-football", "throw"): (4, "clear wipes an unfinished entry"),
    ("roulette", "entry"): (3, "clear wipes an unfinished entry"),
    ("casino-war", "cover-card"): (3, "the floorperson's menu takes it back"),
    ("casino-war, a war", "cover-card"): (3, "the floorperson's menu takes it back"),
}
"""What may cost more, by the round and the state or the key, and the ruling; docs/presses.md has them, too."""


def test_every_game_has_a_typical_round() -> None:
    assert {name.partition(",")[0] for name in ROUNDS} == set(game_names())


@pytest.mark.parametrize("name", ROUNDS)
@pytest.mark.campaign
def test_a_slip_costs_at_most_two_presses_more(name: str) -> None:
    """Any wrong key before each press, and each press twice: the round has the same results and the same end."""
    round_ = ROUNDS[name]()
    worst = MOST
    for at, slip in round_.slips():
        cost, state = round_.cost(at, slip), round_.nodes[at][0].value
        most, ruling = next(
            (one for (game, where), one in EXCEPTIONS.items() if game == name and where in (state, slip)),
            (MOST, ""),
        )
        assert cost is not None and cost <= most, f"{slip} in {state}, before press {at}: {cost}"  # noqa: PT018
        assert not ruling or ruling in PAGE.read_text(encoding="utf-8")
        worst = max(worst, cost)
    assert f"| {name} | {round_.presses} | {worst} |" in PAGE.read_text(encoding="utf-8")
