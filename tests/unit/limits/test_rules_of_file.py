"""A file whose rules, dice, symbols or steps changed: the key confirms them, from the next round on."""

from collections.abc import Callable
from decimal import Decimal

import pytest
from dice_inspection import open_automated
from limits_table import confirm, new, next_round, with_limits
from open_tables import opened
from screen_table import screens_of
from viewer import seen
from war_table import settle

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.machines import machines
from controller.journal.replay.replay import replay
from controller.machine.registry import find_game, game_names
from controller.viewmodel.views import TableViews

Shipped = Callable[[str], TableConfig]


def war_of(config: TableConfig, **rules: object) -> TableConfig:
    """A Casino War file with these rules, and the lamps of its layout."""
    config = config.model_copy(update={"rules": {**config.rules, **rules}})
    needed, panel = find_game(config.game).lamps(config.rules), config.devices.panel
    lamps = {name: output for name, output in panel.lamps.items() if name in needed}
    devices = config.devices.model_copy(update={"panel": panel.model_copy(update={"lamps": lamps})})
    return config.model_copy(update={"devices": devices})


def restart(rig: Rig, config: TableConfig) -> None:
    """Start the table again with another file, on the same simulated hardware with its lamps."""
    devices = rig.config.devices.model_copy(
        update={"panel": rig.config.devices.panel.model_copy(update={"lamps": config.devices.panel.lamps})}
    )
    parts = {name: getattr(config, name) for name in ("rules", "dice", "layout", "limits")}
    rig.config, rig.configuration = rig.config.model_copy(update={**parts, "devices": devices}), "1" * 64
    rig.power_cut()


def prompt(rig: Rig) -> str:
    return rig.table.sign.prompt()


def in_effect(rig: Rig) -> dict[str, object]:
    house = rig.table.table_state.house
    assert house is not None
    return house.rules


def kinds(rig: Rig) -> list[str]:
    return [record.event.kind for record in rig.records()]


def changes(rig: Rig) -> int:
    """How often other rules took effect."""
    return kinds(rig).count("terms-in-effect")


def opens(rig: Rig, *keys: str) -> None:
    """The floorperson opens the table with new cards."""
    rig.floor("open")
    rig.press("enter", *keys)


def war_round(rig: Rig, seats: str = "1") -> None:
    """A round that the dealer wins; the positions are kept."""
    rig.press("no-more-bets")
    if rig.state.value == "positions":
        rig.press(*seats, "enter")
    rig.press(*"2" * len(seats), "9", "enter")
    settle(rig)
    rig.press("clear")


@pytest.fixture
def five(shipped: Shipped) -> Rig:
    """An open table of Casino War with five positions."""
    return opened(war_of(shipped("casino-war"), positions=5))


# -- rules for which the table is made ready anew ------------------------------------------------------------------


@pytest.mark.clause("521.8(b)")
def test_other_positions_count_once_confirmed_with_the_next_round(five: Rig, shipped: Shipped) -> None:
    """§ 521.8(b): five positions until the round is over; then the floorperson makes the table ready anew."""
    table = five
    table.press("no-more-bets", "1")
    restart(table, shipped("casino-war"))
    assert "the table's file has other rules or odds" in prompt(table)
    assert "from the next round on positions 7. Then turn the key and confirm" in prompt(table)
    confirm(table)
    assert table.last("terms-confirmed").changed == ("rules.positions",)
    table.press("7")
    assert table.last("refused").why == "no-position"
    table.press("clear", "1", "enter", "2", "9", "enter")
    assert table.lit() == {"initial-1-lost", "tie-1-lost"}
    settle(table)
    table.press("clear")
    assert table.state.value == "closed"
    assert table.last("alert").text == "rules-in-effect"
    assert table.last("terms-in-effect").changed == ("rules.positions",)
    assert in_effect(table)["positions"] == 7
    opens(table, "no-more-bets", "7", "enter", "2", "9", "enter")
    assert table.lit() == {"initial-7-lost", "tie-7-lost"}


@pytest.mark.clause("521.8(b)")
@pytest.mark.parametrize("cut", range(4))
def test_confirmed_rules_come_through_power_cuts(five: Rig, shipped: Shipped, cut: int) -> None:
    """Wherever the power goes, the rules count from the next round on, and only once."""
    table = five
    steps = [
        lambda: restart(table, shipped("casino-war")),
        lambda: confirm(table),
        lambda: war_round(table),
        lambda: opens(table),
    ]
    for number, step in enumerate(steps):
        step()
        if number == cut:
            table.power_cut()
            if number == 0:
                assert "positions 7" in prompt(table)
    assert table.state.value == "bets-open"
    table.press("no-more-bets", "7", "enter")
    assert table.state.value == "deal"
    assert changes(table) == 1
    table.power_cut()
    assert table.state.value == "deal"
    assert prompt(table) == ""


@pytest.mark.clause("521.8(b)")
def test_a_table_whose_devices_cannot_play_the_old_rules_closes_and_needs_the_key(shipped: Shipped) -> None:
    """Two positions and their lamps are gone: nothing is played under new rules before the key."""
    table = opened(shipped("casino-war"))
    war_round(table)
    restart(table, war_of(shipped("casino-war"), positions=5))
    assert table.state.value == "closed"
    assert table.last("rules-changed").of_file
    assert table.last("terms-in-effect").changed == ("rules.positions",)
    assert prompt(table) == ""
    table.press("no-more-bets")
    assert table.state.value == "closed"
    table.power_cut()
    assert changes(table) == 1
    opens(table, "no-more-bets", "5", "enter", "2", "9", "enter")
    assert table.lit() == {"initial-5-lost", "tie-5-lost"}


# -- rules that change between two rounds --------------------------------------------------------------------------


@pytest.mark.clause("521.8(b)")
def test_the_age_of_dice_changes_with_the_next_round_and_they_stay(shipped: Shipped) -> None:
    table = open_automated(shipped)
    config = table.config
    assert config.dice is not None
    restart(table, config.model_copy(update={"dice": config.dice.model_copy(update={"retire_h": Decimal("23.5")})}))
    confirm(table)
    assert table.last("terms-confirmed").changed == ("dice.retire_h",)
    assert "terms-in-effect" not in kinds(table)
    table.press("no-more-bets", "shaker-done", *"123", "enter", "done", "clear")
    assert table.state.value == "bets-open"
    assert not table.last("terms-in-effect").anew
    assert table.machine.table.fitted_utc_ns


@pytest.mark.clause("521.8(b)")
def test_other_symbols_are_shown_from_the_next_round_on(shipped: Shipped) -> None:
    """§ 619a.1(c), § 521.8(b): what stands on the board stands on the layout."""
    config = with_limits(shipped("big-six"))
    table = new(config)
    symbols = {"logo": "FLAG"}
    restart(table, config.model_copy(update={"layout": config.layout.model_copy(update={"symbols": symbols})}))
    screens, views = screens_of(table), TableViews(table.config, table.clock)
    views.watch(table.table)

    def shown() -> list[object]:
        return [area["label"] for area in seen(views)["table"]["areas"]]

    assert "FLAG" not in shown()
    confirm(table)
    assert screens.board()["next_odds"] == "logo is shown as FLAG"
    assert screens.dealer()["limits"]["announce"] == "from the next round on logo is shown as FLAG"  # type: ignore[attr-defined]
    assert "FLAG" not in shown()
    next_round(table)
    assert "FLAG" in shown()
    assert not screens.board()["next_odds"]


# -- every game ----------------------------------------------------------------------------------------------------


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
    assert table.table.sign.file_differs == ""


def test_each_round_is_replayed_by_its_own_rules(five: Rig, shipped: Shipped) -> None:
    table, file = five, shipped("casino-war")
    war_round(table, "5")
    restart(table, file)
    confirm(table)
    war_round(table, "5")
    opens(table)
    war_round(table, "7")
    for number in range(1, table.machine.round):
        assert replay(number, table.game.name, machines(file), table.journal).differences == []


# -- further requirements ------------------------------------------------------------------------------------------


@pytest.mark.clause("521.7(d)")
def test_steps_of_an_amount_are_on_the_sign_and_change_with_the_next_round(shipped: Shipped) -> None:
    table = new(with_limits(shipped("dreamcatcher"), steps={"every": 5, "40": 10}, minimum=10))
    screens = screens_of(table)
    assert screens.board()["limits"]["steps"] == "wagers in steps of $5; wagers on 40 in steps of $10"
    restart(table, with_limits(shipped("dreamcatcher"), steps={"every": "2.5"}, minimum=10))
    screens = screens_of(table)
    expected = "from the next round on wagers on 40 as all others; wagers in steps of $2.50. Then turn the key"
    assert expected in prompt(table)
    confirm(table)
    assert screens.board()["limits"]["steps"] == "wagers in steps of $5; wagers on 40 in steps of $10"
    next_round(table)
    assert screens.board()["limits"]["steps"] == "wagers in steps of $2.50"
