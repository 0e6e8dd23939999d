"""Rounds of Casino War as dealer, players and floorperson see them (ch. 651a, and the rulings)."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import pytest
from war_table import deal, settle

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Light
from controller.events.event import Press, TableStarted
from controller.statechart.registry import find_game

GAME = "casino-war"
ORDER = "2 3 4 5 6 7 8 9 10 jack queen king ace".split()
Shipped = Callable[[str], TableConfig]


# -- a round -------------------------------------------------------------------------------------------------------


def test_winners_and_losers_of_the_original_deal(war: Rig) -> None:
    """§ 651a.9(a)(1), (2) and (b)."""
    table = war
    deal(table, "147", "king 2 9 8")
    assert table.lit() == {
        *("initial-1-won", "initial-4-lost", "initial-7-won"),
        *("tie-1-lost", "tie-4-lost", "tie-7-lost"),
    }
    collect, pay = settle(table)
    assert "collect losing initial and tie wagers" in collect
    assert "position 1's initial wager 1 to 1, position 7's initial wager 1 to 1" in pay
    table.press("clear")
    assert table.state.value == "bets-open"
    assert table.lit() == set()


def test_a_tie_is_surrendered_or_goes_to_war(war: Rig) -> None:
    """§ 651a.9(a)(3), (c) to (g): each tied position in turn; a war that is won pays 2 to 1."""
    table = war
    deal(table, "135", "9 ace 9 9")
    assert {"initial-1-tied", "tie-1-won", "initial-3-won", "tie-3-lost", "initial-5-tied"} <= table.lit()
    assert "position 1's tie wager 10 to 1" in settle(table)[-1]
    assert "a tie at position 1" in table.waiting_for
    table.press("surrender")
    assert "a tie at position 5" in table.waiting_for
    assert "initial-1-tied" in table.lit()  # Half of it is lost: no lamp says that all is.
    table.press("war")
    prompts = []
    while not table.waiting_for.startswith("deal and key"):
        prompts.append(table.waiting_for)
        table.press("done")
    assert [words.split(",")[0].split(";")[0] for words in prompts] == [
        "take half the initial wager at position 1",
        "collect the cards of all positions but position 5",
        "have war wagers of the same amount placed at position 5",
        "collect the whole initial wagers at position 5",
        "offer a tie wager at position 5",
        "burn 3 cards",
    ]
    table.press("5", "4", "enter")
    assert table.lit() == {"war-5-won", "tie-5-lost"}
    assert "position 5's war wager 2 to 1" in settle(table)[-1]
    assert table.state.value == "settled"


def test_a_tied_war_pays_3_to_1_and_the_tie_wager_again(war: Rig) -> None:
    """§ 651a.9(g)(3), § 651a.10(3)."""
    table = war
    deal(table, "2", "9 9")
    settle(table)
    table.press("war", "king", "king", "enter")
    assert table.lit() == {"war-2-tied", "tie-2-won"}
    assert [(win.area, win.pays) for win in table.last("result").wins] == [
        ("war-2", "3 to 1"),
        ("tie-2", "10 to 1"),
    ]


def test_a_lost_war(war: Rig) -> None:
    table = war
    deal(table, "2", "9 9")
    settle(table)
    table.press("war", "2", "king", "enter")
    assert table.lit() == {"war-2-lost", "tie-2-lost"}
    assert settle(table) == ["collect losing war and tie wagers, then press done"]


def test_everybody_surrenders(war: Rig) -> None:
    table = war
    deal(table, "26", "9 9 9")
    settle(table)
    table.press("surrender", "surrender")
    (words,) = settle(table)
    assert "take half the initial wager at positions 2, 6" in words
    assert table.state.value == "settled"


def test_every_pair_of_ranks_lights_what_the_regulation_says(shipped: Shipped) -> None:
    """All 169 original deals and all 169 war deals of one position, § 651a.6 and § 651a.9 read by hand."""
    machine = find_game(GAME).machine(shipped(GAME))
    machine.handle(TableStarted(0, 0, "", ""))
    for control in ("floor-key", "1", "enter", "no-more-bets", "3", "enter"):
        machine.handle(Press(0, control, 1))
    every_pair_lights(machine, "initial")
    for control in ("ace", "ace", "enter", "done", "done", "war"):
        machine.handle(Press(0, control))
    every_pair_lights(machine, "war")


def every_pair_lights(machine: object, wager: str) -> None:
    before = machine.snapshot()  # type: ignore[attr-defined]
    for mine, theirs in product(ORDER, repeat=2):
        machine.restore(before)  # type: ignore[attr-defined]
        place, other = ORDER.index(mine), ORDER.index(theirs)
        how = "tied" if place == other else "won" if place > other else "lost"
        assert lit_by(machine, mine, theirs, "enter") == {
            f"{wager}-3-{how}",
            f"tie-3-{'won' if how == 'tied' else 'lost'}",
        }
    machine.restore(before)


def lit_by(machine: object, *controls: str) -> set[str]:
    decisions = [machine.handle(Press(0, control)) for control in controls]  # type: ignore[attr-defined]
    (lit,) = [set(effect.areas) for effect in decisions[-1].effects if isinstance(effect, Light)]
    return lit


# -- presses -------------------------------------------------------------------------------------------------------

BEFORE = {1: 9, 3: 13, 5: 17, 7: 21}
"""Presses of a round without a war at 0.1.0, by positions with a wager, with winners to pay."""


PAGE = Path(__file__).parents[2] / "docs" / "presses.md"


@pytest.mark.parametrize("positions", BEFORE)
def test_a_round_takes_few_presses(war: Rig, positions: int) -> None:
    """From the second round on, at the same positions. The table in docs/presses.md is of these numbers."""
    table = war
    deal(table, "1234567"[:positions], " ".join(["king"] * positions + ["2"]))
    table.press("done", "clear")
    presses = ["no-more-bets", *["queen"] * positions, "2", "enter", "done", "clear"]
    table.press(*presses)
    assert table.state.value == "bets-open"
    assert table.machine.round == 3
    assert len(presses) == positions + 5 <= 12
    assert f"| {positions} | {BEFORE[positions]} | {len(presses)} |" in PAGE.read_text(encoding="utf-8")
