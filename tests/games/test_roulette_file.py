"""Roulette (ch. 617a): what the table's file may say, and the Five Adjacent Number Wager."""

from collections.abc import Callable
from pathlib import Path

import pytest
from limits_table import with_limits
from screen_table import screens_of

from config.problems import ConfigError
from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.games.roulette.game import GAME as ROULETTE

GAME = "roulette"
Shipped = Callable[[str], TableConfig]


def problems(tmp_path: Path, *changes: tuple[str, str]) -> str:
    """What is wrong with the shipped file after these replacements; empty if nothing is."""
    text = table_path(GAME).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    file = tmp_path / "table.yaml"
    file.write_text(text, encoding="utf-8")
    try:
        load_table(file)
    except ConfigError as error:
        return str(error)
    return ""


@pytest.mark.clause("617a.1(a)", "617a.1(f)(2)")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("wheel: double-zero", "wheel: triple-zero"), "rules.wheel"),
        (("wheel: double-zero", "wheel: single-zero"), "devices.panel.lamps.straight-00: no area 'straight-00'"),
        (("result: both", "result: keypad"), "there is a wheel reader, but the rules do not use it"),
        (("  # beam_angle_deg: 90", "  beam_angle_deg: 170"), "cannot tell which way the ball runs"),
        (("  # call_alert_s: 20", "  call_alert_s: 4"), "rules.call_alert_s"),
        (("  # call_alert_s: 20", "  call_alert_s: 121"), "rules.call_alert_s"),
        (("      ball_1: 23", "      # ball_1: 23"), "devices.rotor.pins"),
        (("      ball_2: 24", "      ball_2: 23"), "pin 23 is already used by devices.rotor.pins.ball_1"),
        (("      column-2: 39", "      # column-2: 39"), "the area 'column-2' has no lamp"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    assert message in problems(tmp_path, change)


@pytest.mark.clause("617a.1(a)")
@pytest.mark.parametrize(
    ("ball_mm", "fits"),
    [
        *(("5", False), ("19.04", False), ("19.049", False), ("19.05", True), ("22.22", True)),
        *(("22.225", True), ("22.226", False), ("22.23", False), ("24.9", False)),
    ],
)
def test_the_ball_measures_12_to_14_sixteenths_of_an_inch(tmp_path: Path, ball_mm: str, fits: bool) -> None:
    """§ 617a.1(a); an inch is 25.4 mm."""
    found = problems(tmp_path, ("  # ball_mm: 20", f"  ball_mm: {ball_mm}"))
    assert (found == "") == fits
    assert fits or "rotor.ball_mm" in found


def test_a_table_without_its_reader(tmp_path: Path) -> None:
    reader = "  reader:\n    backend: mock\n    options: {}\n"
    assert "the winning number comes from a wheel reader, and there is none" in problems(tmp_path, (reader, ""))


@pytest.mark.clause("617a.4(a)")
def test_odds_below_the_regulation(tmp_path: Path) -> None:
    odds = "layout:\n  odds: {straight-17: 34 to 1, first-five: 7 to 1, split-0-3: 17 to 1}\nrules:"
    message = problems(tmp_path, ("\nrules:", f"\n{odds}"))
    assert "layout.odds.straight-17: 34 to 1 is below § 617a.4(a); use 35 to 1 or more" in message
    assert "no wager 'split-0-3' in this game" in message
    assert "first-five" not in message.replace("use one of", "")


@pytest.mark.clause("617a.1(e)(1)")
def test_00_of_a_converted_wheel_takes_no_wager(tmp_path: Path) -> None:
    """§ 617a.1(e)(1): no straight wager, and none with other numbers; it has neither lamp nor odds."""
    converted = ("wheel: double-zero", "wheel: double-zero-as-single")
    assert "no area 'straight-00' in this game" in problems(tmp_path, converted)
    covered = (converted, ("\n      straight-00: 1", ""))
    assert problems(tmp_path, *covered) == ""
    odds = ("\nrules:", "\nlayout:\n  odds: {straight-00: 36 to 1}\nrules:")
    assert "no wager 'straight-00' in this game" in problems(tmp_path, *covered, odds)
    assert ROULETTE.layout is not None
    areas = [wager.area for wager in ROULETTE.layout({"wheel": "double-zero-as-single"})]
    assert "straight-0" in areas
    assert not [area for area in areas if "00" in area.split("-") or area == "first-five"]


@pytest.mark.clause("617a.1(f)(3)")
def test_the_least_and_the_highest_wager_are_on_the_players_board(shipped: Shipped) -> None:
    """§ 617a.1(f)(3); a file without limits says that another sign has them, and the board shows none."""
    limits = screens_of(Rig(with_limits(shipped(GAME), minimum=10, maximum=2_000))).checked_board()["limits"]
    assert (limits["minimum"], limits["maximum"], limits["currency"]) == ("10", "2000", "$")
    assert shipped(GAME).limits.posted == "elsewhere"
    assert screens_of(Rig(shipped(GAME))).checked_board()["limits"] is None


# -- the Five Adjacent Number Wager --------------------------------------------------------------------------------


@pytest.mark.clause("617a.3(e)(1)")
def test_five_adjacent_numbers_are_wagered_on_only_where_they_are_offered(shipped: Shipped) -> None:
    for offered in ("true", "false"):
        rules = {"wheel": "double-zero", "result": "keypad", "five_adjacent": offered}
        wagers = {item.wager for item in ROULETTE.returns(ROULETTE.payouts(shipped(GAME)), rules)}
        assert ("five-adjacent" in wagers) == (offered == "true")
