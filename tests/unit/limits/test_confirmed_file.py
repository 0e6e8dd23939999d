"""A file whose limits, odds or rules changed: shown, confirmed by the key, on record, from the next round on."""

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
from open_tables import opened
from screen_table import screens_of
from viewer import seen
from war_table import settle

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.machines import machines
from controller.journal.replay.replay import replay
from controller.limits.proposals import FILE_PATIENCE_S
from controller.machine.registry import find_game, game_names
from controller.viewmodel.views import TableViews

Shipped = Callable[[str], TableConfig]
OLD = ("5", "500", "")


def prompt(table: Rig) -> str:
    return table.table.sign.prompt()


# -- odds ----------------------------------------------------------------------------------------------------------


def with_odds(config: TableConfig, **odds: int) -> TableConfig:
    """The same table with odds above the regulation's in its file."""
    above = {area.removeprefix("on"): Fraction(to_one) for area, to_one in odds.items()}
    return config.model_copy(update={"layout": config.layout.model_copy(update={"odds": above})})


def paid(table: Rig) -> str:
    return str(table.last("result").wins[0].pays)


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
    table.turn(1.2)
    table.spin(stop_on="40")
    assert paid(table) == "350 to 1"
    table.press("done", "done", "clear")
    assert table.records()[-1].event.kind == "terms-in-effect"
    table.power_cut()
    next_round(table, stop_on="40")
    assert paid(table) == "40 to 1"
    confirmed = table.last("terms-confirmed")
    assert (confirmed.terms.house.odds, confirmed.changed, confirmed.by) == ({}, ("odds.40",), "")


@pytest.mark.clause("521.8(b)")
def test_odds_of_the_file_do_not_count_without_the_key(file: TableConfig) -> None:
    table = new(file)
    restart(table, with_odds(file, on40=50))
    table.press("clear")
    next_round(table, stop_on="40")
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


# -- limits and currency -------------------------------------------------------------------------------------------


def test_limits_of_a_changed_file_are_announced_by_the_key(
    file: TableConfig, shipped: Shipped, caplog: pytest.LogCaptureFixture
) -> None:
    table = new(file)
    assert table.table.sign.file_differs == ""
    restart(table, with_limits(shipped("dreamcatcher"), minimum=15))
    words = table.table.sign.file_differs
    assert "in effect: $5 to $500; the table's file says $15 to $500" in words
    assert words in caplog.text
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
    restart(table, shipped("dreamcatcher"))
    assert (limits(table), prompt(table)) == (("15", "500", ""), ""), "a file without limits takes nothing back"


def test_limits_that_were_changed_at_the_table_are_not_proposed_anew(table: Rig) -> None:
    announce(table, change(nobody_plays=True))
    table.power_cut()
    assert prompt(table) == "", "the file is as it was"
    assert "the table's file says $5 to $500" in table.table.sign.file_differs


def test_limits_that_a_file_gets_later_are_announced_first(shipped: Shipped, file: TableConfig) -> None:
    table = new(shipped("dreamcatcher"))
    restart(table, with_odds(file, on40=50))
    assert limits(table) is None
    assert "has other rules or odds, which need an approval (§ 521.8(b)), and other limits. Announce" in prompt(
        table
    )
    assert "on wagers are $5 to $500" in prompt(table)
    confirm(table)
    state = table.table.table_state
    assert state.next_house is not None
    assert state.pending is not None
    assert (state.next_house.odds, state.pending.limits.maximum) == ({"40": "50 to 1"}, "500")


@pytest.mark.clause("521.8(c)")
def test_another_currency_is_another_limit(file: TableConfig, shipped: Shipped) -> None:
    """§ 521.8: the sign's currency changes with key and notice, not with the file."""
    table = new(file)
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


@pytest.mark.clause("521.7(d)")
def test_steps_of_an_amount_are_on_the_sign_and_change_with_the_next_round(shipped: Shipped) -> None:
    table = new(with_limits(shipped("dreamcatcher"), steps={"every": 5, "40": 10}, minimum=10))
    before = "wagers in steps of $5; wagers on 40 in steps of $10"
    restart(table, with_limits(shipped("dreamcatcher"), steps={"every": "2.5"}, minimum=10))
    screens = screens_of(table)
    expected = "from the next round on wagers on 40 as all others; wagers in steps of $2.50. Then turn the key"
    assert expected in prompt(table)
    confirm(table)
    assert screens.board()["limits"]["steps"] == before
    next_round(table)
    assert screens.board()["limits"]["steps"] == "wagers in steps of $2.50"


# -- rules ---------------------------------------------------------------------------------------------------------


def war_of(config: TableConfig, **rules: object) -> TableConfig:
    """A Casino War file with these rules, and the lamps of its layout."""
    config = config.model_copy(update={"rules": {**config.rules, **rules}})
    needed, panel = find_game(config.game).lamps(config.rules), config.devices.panel
    lamps = {name: output for name, output in panel.lamps.items() if name in needed}
    devices = config.devices.model_copy(update={"panel": panel.model_copy(update={"lamps": lamps})})
    return config.model_copy(update={"devices": devices})


def changes(rig: Rig) -> int:
    """How often other rules took effect."""
    return [record.event.kind for record in rig.records()].count("terms-in-effect")


def opens(rig: Rig) -> None:
    """The floorperson opens the table with new cards."""
    rig.floor("open")
    rig.press("enter")


def war_round(rig: Rig, seat: str) -> None:
    """A round that the dealer wins; the positions are kept."""
    rig.press("no-more-bets")
    if rig.state.value == "positions":
        rig.press(seat, "enter")
    rig.press("2", "9", "enter")
    assert rig.lit() == {f"initial-{seat}-lost", f"tie-{seat}-lost"}
    settle(rig)
    rig.press("clear")


@pytest.fixture
def five(shipped: Shipped) -> Rig:
    """An open table of Casino War with five positions."""
    return opened(war_of(shipped("casino-war"), positions=5))


@pytest.mark.clause("521.8(b)")
@pytest.mark.parametrize("cut", range(4))
def test_confirmed_rules_count_from_the_next_round_on_wherever_the_power_goes(
    five: Rig, shipped: Shipped, cut: int
) -> None:
    """Five positions until the round is over; then the floorperson makes the table ready anew, with seven."""
    table = five
    for number, step in enumerate(
        (
            lambda: restart(table, shipped("casino-war")),
            lambda: confirm(table),
            lambda: war_round(table, "5"),
            lambda: opens(table),
        )
    ):
        if number == 1:
            assert "from the next round on positions 7. Then turn the key and confirm" in prompt(table)
        step()
        if number == 2:
            assert (table.state.value, table.last("terms-in-effect").changed) == ("closed", ("rules.positions",))
        if number == cut:
            table.power_cut()
    war_round(table, "7")
    table.power_cut()
    assert (changes(table), prompt(table)) == (1, "")
    for number in range(1, table.machine.round):
        assert replay(number, table.game.name, machines(shipped("casino-war")), table.journal).differences == []


@pytest.mark.clause("521.8(b)")
def test_a_table_whose_devices_cannot_play_the_old_rules_closes_and_needs_the_key(shipped: Shipped) -> None:
    """Two positions and their lamps are gone: nothing is played under new rules before the key."""
    table = opened(shipped("casino-war"))
    war_round(table, "7")
    restart(table, war_of(shipped("casino-war"), positions=5))
    assert table.last("rules-changed").of_file
    assert table.last("terms-in-effect").changed == ("rules.positions",)
    assert prompt(table) == ""
    table.press("no-more-bets")
    assert table.state.value == "closed"
    table.power_cut()
    assert changes(table) == 1
    opens(table)
    war_round(table, "5")


@pytest.mark.clause("521.8(b)")
def test_other_symbols_are_shown_from_the_next_round_on(shipped: Shipped) -> None:
    """§ 619a.1(c), § 521.8(b): the board shows the layout's symbols; the table stays open."""
    config = with_limits(shipped("big-six"))
    table = new(config)
    restart(
        table, config.model_copy(update={"layout": config.layout.model_copy(update={"symbols": {"logo": "FLAG"}})})
    )
    screens, views = screens_of(table), TableViews(table.config, table.clock)
    views.watch(table.table)

    def shown() -> list[object]:
        return [area["label"] for area in seen(views)["table"]["areas"]]

    confirm(table)
    assert screens.board()["next_odds"] == "logo is shown as FLAG"
    assert screens.dealer()["limits"]["announce"] == "from the next round on logo is shown as FLAG"  # type: ignore[attr-defined]
    assert "FLAG" not in shown()
    next_round(table)
    assert "FLAG" in shown()
    assert not screens.board()["next_odds"]
    assert not table.last("terms-in-effect").anew


@pytest.mark.parametrize("game", game_names())
def test_a_file_as_it_was_asks_for_nothing_however_it_is_written(shipped: Shipped, game: str) -> None:
    """Defaults that are written out, and numbers written otherwise, are no other rules."""
    config = shipped(game)
    table = Rig(config)
    model = find_game(game).rules
    if model is not None:
        written = {name: str(value) for name, value in model.model_validate(config.rules).model_dump().items()}
        rules = {name: {"True": "true", "False": "false"}.get(value, value) for name, value in written.items()}
        config = config.model_copy(update={"rules": rules})
    restart(table, config)
    assert (prompt(table), table.table.sign.file_differs) == ("", "")
