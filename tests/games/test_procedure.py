"""The procedure of a round: losers before winners, nothing before the call, how dice are shaken, voids in a row."""

import pytest
from dice_inspection import inspect_dice

from controller.bench.rig import Rig


@pytest.mark.clause("539.5(e)", "539.5(f)")
def test_losers_are_collected_before_winners_are_paid(sic_bo: Rig) -> None:
    """§ 539.5(e), (f): one after the other, and the lamps are lit until both are done."""
    table = sic_bo
    table.press("no-more-bets", "3", "4", "6", "enter")
    lit = table.lit()
    table.press("clear", "no-more-bets")
    assert table.state.value == "result"
    assert table.waiting_for.startswith("Collect all losing wagers.")
    table.press("done", "no-more-bets")
    assert table.state.value == "losers-collected"
    assert table.waiting_for.startswith("Pay all winning wagers.")
    table.press("done", "no-more-bets", "done")
    assert (table.state.value, table.lit()) == ("winners-paid", lit)
    table.press("clear")
    assert (table.state.value, table.lit()) == ("bets-open", set())


@pytest.mark.clause("539.5(b)", "539.5(c)", "539.5(c)(1)", "539.5(c)(2)")
def test_dice_count_only_after_no_more_bets(sic_bo: Rig) -> None:
    """§ 539.5(b), (c): dice keyed earlier are refused, an earlier toss is none, the prompt says how to shake."""
    table = sic_bo
    table.press("3", "enter")
    assert table.state.value == "bets-open"
    table.press("no-more-bets")
    assert table.machine.instruction().code == "dice-shaking"
    assert "Cover the shaker. Shake it at least three times." in table.waiting_for
    table.press("no-roll")
    table.floor("shaker-installed")
    table.floor("renew")
    inspect_dice(table)
    table.press("shaker-done", "3")
    assert (table.state.value, table.last("alert").text) == ("bets-open", "tossed-early")
    table.press("no-more-bets", "3")
    assert (table.state.value, table.machine.instruction().code) == ("shaking", "dice-shaking-automated")
    table.press("shaker-done", "3")
    assert table.machine.data.entry == (3,)


def alerts(table: Rig) -> list[str]:
    return [one.text for record in table.records() for one in record.effects if one.kind == "alert"]


@pytest.mark.parametrize(("game", "void", "dice"), [("sic_bo", "no-roll", "346"), ("football", "no-roll 1", "661")])
def test_the_dealers_third_void_in_a_row_raises_an_alert(
    request: pytest.FixtureRequest, game: str, void: str, dice: str
) -> None:
    """And each further one, also after a power cut. The floorperson's does not count, a result ends the row."""
    table: Rig = request.getfixturevalue(game)

    def voids(times: int) -> None:
        for _ in range(times):
            table.press("no-more-bets", *void.split())

    voids(2)
    table.press("no-more-bets")
    table.floor(*("void", "die-lost") if game == "sic_bo" else ("no-roll", "cocked"))
    assert "dealers-calls" not in alerts(table)
    table.power_cut()
    voids(2)
    assert alerts(table).count("dealers-calls") == 2
    assert table.last("alert").parameters == {"calls": 4}
    table.press("no-more-bets", *dice, "enter", "done", "done", "clear")
    voids(2)
    assert alerts(table).count("dealers-calls") == 2
    voids(1)
    assert alerts(table).count("dealers-calls") == 3
