"""A file whose limits, odds or rules changed: shown, confirmed by the key, on record, from the next round on."""

from collections.abc import Callable
from fractions import Fraction

import pytest
from limits_table import MIN_S, announce, change, confirm, limits, new, next_round, restart, with_limits
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


def prompt(table: Rig) -> str:
    return table.table.sign.prompt()


def with_layout(config: TableConfig, **layout: object) -> TableConfig:
    return config.model_copy(update={"layout": config.layout.model_copy(update=layout)})


def with_40_at(config: TableConfig, odds: int) -> TableConfig:
    """The same table with odds above the regulation's in its file."""
    return with_layout(config, odds={"40": Fraction(odds)})


def paid(table: Rig) -> str:
    """What a wager on 40 is paid in the next round."""
    next_round(table, stop_on="40")
    return str(table.last("result").wins[0].pays)


@pytest.mark.clause("521.8(b)")
def test_odds_that_were_lowered_inside_a_round_do_not_count_in_it(file: TableConfig) -> None:
    """§ 521.8(b): a wager on 40 at 50 to 1, a 7x, the file cut to 40 to 1, a restart: it pays 350 to 1."""
    table = new(with_40_at(file, 50))
    table.press("no-more-bets")
    table.spin(stop_on="7x")
    restart(table, file)
    assert "the table's file has other rules or odds" in prompt(table)
    assert "from the next round on 40 pays the regulation's odds. Then turn the key" in prompt(table)
    confirm(table)
    table.turn(1.2)
    table.spin(stop_on="40")
    assert table.last("result").wins[0].pays == "350 to 1"
    table.press("done", "done", "clear")
    assert table.records()[-1].event.kind == "terms-in-effect"
    table.power_cut()
    assert paid(table) == "40 to 1"
    confirmed = table.last("terms-confirmed")
    assert (confirmed.terms.house.odds, confirmed.changed, confirmed.by) == ({}, ("odds.40",), "")


@pytest.mark.clause("521.8(b)")
def test_odds_of_the_file_do_not_count_without_the_key(file: TableConfig) -> None:
    table = new(file)
    restart(table, with_40_at(file, 50))
    table.power_cut()
    assert "40 pays 50 to 1. Then turn the key and confirm" in prompt(table), "asked again at each start"
    table.wait(FILE_PATIENCE_S)
    assert "nobody turned the key" in prompt(table)
    assert paid(table) == "40 to 1"
    for odds, follow in ((50, True), (40, False), (50, True)):  # What was confirmed can be taken back.
        restart(table, with_40_at(file, 50) if odds == 50 else file)
        confirm(table)
        assert (table.table.table_state.next_house is not None) == follow
    next_round(table)
    assert paid(table) == "50 to 1"


@pytest.mark.clause("521.7(d)", "521.8(c)")
def test_limits_currency_and_steps_of_a_changed_file_are_announced_by_the_key(shipped: Shipped) -> None:
    """§ 521.8: the sign changes with key and notice, not with the file; steps with the next round."""
    dreamcatcher = shipped("dreamcatcher")
    table = new(with_limits(dreamcatcher, steps={"every": 5, "40": 10}))
    restart(table, with_limits(dreamcatcher, minimum=15, currency="€", steps={"every": "2.5"}))
    screens = screens_of(table)
    assert "has other rules or odds, which need an approval (§ 521.8(b)), and other limits. Announce" in prompt(
        table
    )
    assert "from the next round on wagers on 40 as all others; wagers in steps of $2.50" in prompt(table)
    assert "on wagers are €15 to €500. Then turn the key" in prompt(table)
    confirm(table)
    announced = table.last("terms-confirmed")
    assert (announced.terms.limits.minimum, announced.from_file, announced.to_patrons) == ("15", True, True)
    table.power_cut()
    assert prompt(table) == "", "confirmed once"
    screens = screens_of(table)
    assert screens.board()["limits"]["steps"] == "wagers in steps of $5; wagers on 40 in steps of $10"
    next_round(table)
    sign = screens.board()["limits"]
    assert (sign["steps"], sign["currency"]) == ("wagers in steps of $2.50", "$")
    assert sign["pending"]["currency"] == "€"
    table.wait(33 * MIN_S)
    next_round(table)
    assert (limits(table), screens.board()["limits"]["currency"]) == (("15", "500", ""), "€")
    announce(table, change(nobody_plays=True))
    table.power_cut()
    assert prompt(table) == "", "changed at the table, and the file is as it was"
    restart(table, dreamcatcher)
    assert limits(table) == ("10", "1000", ""), "a file without limits takes nothing back"


# -- rules ---------------------------------------------------------------------------------------------------------


def war_of(config: TableConfig, positions: int) -> TableConfig:
    """A Casino War file with so many positions, and the lamps of its layout."""
    config = config.model_copy(update={"rules": {**config.rules, "positions": positions}})
    needed, panel = find_game(config.game).lamps(config.rules), config.devices.panel
    lamps = {name: output for name, output in panel.lamps.items() if name in needed}
    devices = config.devices.model_copy(update={"panel": panel.model_copy(update={"lamps": lamps})})
    return config.model_copy(update={"devices": devices})


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


@pytest.mark.clause("521.8(b)")
@pytest.mark.parametrize("cut", range(4))
def test_confirmed_rules_count_from_the_next_round_on_wherever_the_power_goes(shipped: Shipped, cut: int) -> None:
    """Five positions until the round is over; then the floorperson makes the table ready anew, with seven."""
    table = opened(war_of(shipped("casino-war"), 5))
    steps: tuple[Callable[[], None], ...] = (
        lambda: restart(table, shipped("casino-war")),
        lambda: confirm(table),
        lambda: war_round(table, "5"),
        lambda: opens(table),
    )
    for number, step in enumerate(steps):
        if number == 1:
            assert "from the next round on positions 7. Then turn the key and confirm" in prompt(table)
        step()
        if number == 2:
            assert (table.state.value, table.last("terms-in-effect").changed) == ("closed", ("rules.positions",))
        if number == cut:
            table.power_cut()
    war_round(table, "7")
    table.power_cut()
    assert prompt(table) == ""
    assert [record.event.kind for record in table.records()].count("terms-in-effect") == 1
    for number in range(1, table.machine.round):
        assert replay(number, table.game.name, machines(shipped("casino-war")), table.journal).differences == []


@pytest.mark.clause("521.8(b)")
def test_a_table_whose_devices_cannot_play_the_old_rules_closes_and_needs_the_key(shipped: Shipped) -> None:
    """Two positions and their lamps are gone: nothing is played under new rules before the key."""
    table = opened(shipped("casino-war"))
    war_round(table, "7")
    restart(table, war_of(shipped("casino-war"), 5))
    assert table.last("rules-changed").of_file
    assert (table.last("terms-in-effect").changed, prompt(table)) == (("rules.positions",), "")
    table.press("no-more-bets")
    assert table.state.value == "closed"
    opens(table)
    war_round(table, "5")


@pytest.mark.clause("521.8(b)")
def test_other_symbols_are_shown_from_the_next_round_on(shipped: Shipped) -> None:
    """§ 619a.1(c), § 521.8(b): the board shows the layout's symbols; the table stays open."""
    table = new(shipped("big-six"))
    restart(table, with_layout(shipped("big-six"), symbols={"logo": "FLAG"}))
    screens, views = screens_of(table), TableViews(table.config, table.clock)
    views.watch(table.table)

    def shown() -> list[object]:
        return [area["label"] for area in seen(views)["table"]["areas"]]

    confirm(table)
    assert screens.board()["next_odds"] == "logo is shown as FLAG"
    assert "FLAG" not in shown()
    next_round(table)
    assert "FLAG" in shown()
    assert (screens.board()["next_odds"], table.last("terms-in-effect").anew) == ("", False)


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
    assert prompt(table) == ""
