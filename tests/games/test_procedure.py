"""The procedure of a round: losers before winners, nothing before the call, how dice are shaken, voids in a row."""

from collections.abc import Callable

import pytest
from dice_inspection import inspect_dice

from controller.bench.rig import Rig


@pytest.mark.clause("689a.2(e)", "619a.2(e)", "539.5(e)", "539.5(f)")
@pytest.mark.parametrize("game", ["dreamcatcher", "big-six", "sic-bo"])
def test_losers_are_collected_before_winners_are_paid(opened: Callable[..., Rig], game: str) -> None:
    """§ 689a.2(e), § 619a.2(e), § 539.5(e), (f): one after the other, and the lamps are lit until both are done."""
    table = opened(game)
    table.press("no-more-bets")
    if table.config.wheel is not None:
        table.spin(stop_on="20")
    else:
        table.press("3", "4", "6", "enter")
    lit = table.lit()
    assert lit
    for state in ("result", "losers-collected"):
        if game != "sic-bo" or state == "result":  # There, clear pays the winners.
            table.press("clear")
        table.press("no-more-bets")
        assert table.state.value == state
        asked = "Collect all losing wagers." if state == "result" else "Pay all winning wagers."
        assert table.waiting_for.startswith(asked)
        table.press("done")
    table.press("no-more-bets", "done")
    assert table.state.value == "winners-paid"
    assert table.lit() == lit
    table.press("clear")
    assert table.state.value == "bets-open"
    assert table.lit() == set()


@pytest.mark.clause("619a.2(a)", "619a.2(d)")
def test_big_six_is_held_to_the_round_of_a_wheel(big_six: Rig) -> None:
    """§ 619a.2(a), (d): a throw while wagers are open and a clapper between sections are void."""
    table = big_six
    table.spin(stop_on="20")
    assert table.last("void").reason == "wagers-open"
    assert table.state.value == "bets-open"
    table.press("no-more-bets")
    table.spin(stop_between=("joker", "1"))
    assert table.last("void").reason == "between-sections"
    assert table.state.value == "respin"
    assert table.lit() == set()
    table.spin(stop_on="joker")
    assert table.lit() == {"joker"}


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
