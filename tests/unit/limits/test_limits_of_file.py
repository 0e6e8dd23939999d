"""A file whose limits, currency or odds changed: shown, confirmed by the key, on record, from the next round on."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from limits_table import (
    MIN_S,
    announce,
    change,
    confirm,
    limits,
    new,
    next_round,
    recorded_kinds,
    restart,
    with_limits,
)
from screen_table import screens_of

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.limits.proposals import FILE_PATIENCE_S
from controller.machine.registry import find_game

Shipped = Callable[[str], TableConfig]
OLD = ("5", "500", "")


def with_odds(config: TableConfig, **odds: int) -> TableConfig:
    """The same table with odds above the regulation's in its file."""
    above = {area.removeprefix("on"): Fraction(to_one) for area, to_one in odds.items()}
    return config.model_copy(update={"layout": config.layout.model_copy(update={"odds": above})})


@pytest.fixture
def file(shipped: Shipped) -> TableConfig:
    """Dreamcatcher's with limits."""
    return with_limits(shipped("dreamcatcher"))


def paid(table: Rig) -> str:
    return str(table.last("result").wins[0].pays)


def prompt(table: Rig) -> str:
    return table.table.sign.prompt()


# -- odds ----------------------------------------------------------------------------------------------------------


@pytest.mark.clause("521.8(b)")
def test_odds_that_were_lowered_inside_a_round_do_not_count_in_it(file: TableConfig) -> None:
    """§ 521.8(b): a wager on 40 at 50 to 1, a 7x, the file cut to 40 to 1, a restart: it pays 350 to 1."""
    table = new(with_odds(file, on40=50))
    table.press("no-more-bets")
    table.spin(stop_on="7x")
    restart(table, file)
    assert "the table's file has other rules or odds" in prompt(table)
    assert "from the next round on 40 pays the regulation's odds. Then turn the key" in prompt(table)
    confirm(table)
    assert "from the next round on" in prompt(table)
    table.turn(1.2)
    table.spin(stop_on="40")
    assert paid(table) == "350 to 1"
    table.press("done", "done", "clear")
    assert table.records()[-1].event.kind == "terms-in-effect"
    next_round(table, stop_on="40")
    assert paid(table) == "40 to 1"
    confirmed = table.last("terms-confirmed")
    assert (confirmed.terms.house.odds, confirmed.changed, confirmed.by) == ({}, ("odds.40",), "")


@pytest.mark.clause("521.8(b)")
def test_odds_of_the_file_do_not_count_without_the_key(file: TableConfig) -> None:
    table = new(file)
    restart(table, with_odds(file, on40=50))
    table.press("clear")
    for _ in range(2):
        next_round(table, stop_on="40")
        assert paid(table) == "40 to 1"
    words = "the table's file has other rules or odds than are in effect: 40 pays 50 to 1"
    assert words in table.table.sign.file_differs
    table.power_cut()
    assert "40 pays 50 to 1. Then turn the key and confirm" in prompt(table), "asked again at each start"
    table.wait(FILE_PATIENCE_S + 2)
    assert "nobody turned the key" in prompt(table)
    next_round(table, stop_on="40")
    assert paid(table) == "40 to 1"
    table.table.sign.propose_file()
    confirm(table)
    next_round(table)
    next_round(table, stop_on="40")
    assert paid(table) == "50 to 1"
    with pytest.raises(ValueError, match="says nothing else"):
        table.table.sign.propose_file()


@pytest.mark.clause("521.8(b)")
@pytest.mark.parametrize("game", ["sic-bo", "roulette", "three-dice-football", "casino-war", "big-six"])
def test_every_game_starts_by_the_odds_on_record(shipped: Shipped, game: str) -> None:
    """A file that changed while the table was off changes nothing of the round on record."""
    config = shipped(game)
    wager = next((one for one in find_game(game).wagers_under(config.rules) if not one.fixed), None)
    if wager is None:
        return
    rig = Rig(config.model_copy(update={"layout": config.layout.model_copy(update={"odds": {}})}))
    odds = {wager.area: wager.minimum[0] + 1}
    rig.config = config.model_copy(update={"layout": config.layout.model_copy(update={"odds": odds})})
    rig.power_cut()
    assert "the table's file has other rules or odds" in rig.table.sign.prompt()
    rig.press("clear")
    assert rig.table.table_state.house is not None
    assert rig.table.table_state.house.odds == {}


# -- limits and currency -------------------------------------------------------------------------------------------


def test_limits_of_a_changed_file_are_announced_by_the_key(file: TableConfig, shipped: Shipped) -> None:
    table = new(file)
    restart(table, with_limits(shipped("dreamcatcher"), minimum=15))
    assert "the table's file has other limits. Announce to the patrons: from " in prompt(table)
    confirm(table)
    announced = table.last("terms-confirmed")
    assert (announced.terms.limits.minimum, announced.from_file, announced.to_patrons) == ("15", True, True)
    table.power_cut()
    assert prompt(table) == "", "confirmed once"
    next_round(table)
    assert limits(table) == OLD
    table.wait(33 * MIN_S)
    next_round(table)
    assert limits(table) == ("15", "500", "")
    table.power_cut()
    assert prompt(table) == ""


def test_limits_that_were_changed_at_the_table_are_not_proposed_anew(file: TableConfig) -> None:
    table = new(file)
    announce(table, change(nobody_plays=True))
    table.power_cut()
    assert prompt(table) == "", "the file is as it was"
    assert "the table's file says $5 to $500" in table.table.sign.file_differs


@pytest.mark.clause("521.8(c)")
def test_another_currency_is_another_limit(file: TableConfig, shipped: Shipped) -> None:
    """§ 521.8: the sign's currency changes with key and notice, not with the file."""
    table = new(file)
    screens = screens_of(table)
    restart(table, with_limits(shipped("dreamcatcher"), currency="€"))
    screens = screens_of(table)
    assert screens.board()["limits"]["currency"] == "$"
    assert "on wagers are €5 to €500" in prompt(table)
    confirm(table)
    assert screens.board()["limits"]["pending"]["currency"] == "€"
    next_round(table)
    assert screens.board()["limits"]["currency"] == "$"
    table.wait(33 * MIN_S)
    next_round(table)
    assert screens.board()["limits"]["currency"] == "€"
    assert recorded_kinds(table)[-1] == "terms-in-effect"


def test_odds_and_limits_are_confirmed_together(file: TableConfig, shipped: Shipped) -> None:
    table = new(file)
    restart(table, with_odds(with_limits(shipped("dreamcatcher"), maximum=600), on40=50))
    assert "has other rules or odds, which need an approval (§ 521.8(b)), and other limits. Announce" in prompt(
        table
    )
    confirm(table)
    state = table.table.table_state
    assert state.next_house is not None
    assert state.pending is not None
    assert (state.next_house.odds, state.pending.limits.maximum) == ({"40": "50 to 1"}, "600")


def test_limits_that_a_file_gets_later_are_announced_first(shipped: Shipped, file: TableConfig) -> None:
    table = new(shipped("dreamcatcher"))
    assert limits(table) is None
    restart(table, file)
    assert limits(table) is None
    assert "on wagers are $5 to $500" in prompt(table)
