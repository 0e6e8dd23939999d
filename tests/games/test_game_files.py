"""What the file of a table may say of each game: what does not fit the law is named on its line."""

from pathlib import Path

import pytest
from limits_table import with_limits
from open_tables import Shipped
from screen_table import screens_of

from config.problems import ConfigError
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, table_path
from controller.games.roulette.game import GAME as ROULETTE

Change = tuple[str, str]
READER: Change = ("  reader:\n    backend: mock\n    options: {}\n", "")
CONVERTED: Change = ("wheel: double-zero", "wheel: double-zero-as-single")


def problems(tmp_path: Path, game: str, *changes: Change) -> str:
    """What is wrong with the shipped file after these replacements; empty if nothing is."""
    text = table_path(game).read_text(encoding="utf-8")
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


@pytest.mark.clause("577.2(a)", "577.4(d)", "617a.1(a)", "617a.1(f)(2)", "651a.2(a)", "651a.3(d)", "651a.10")
@pytest.mark.parametrize(
    ("game", "change", "message"),
    [
        ("three-dice-football", ("positions: 16", "positions: 17"), "rules.positions: 17 is out of range"),
        ("three-dice-football", ("positions: 16", "positions: many"), "whole number"),
        ("three-dice-football", ("positions: 16", "positions: 8\n  seats: 3"), "rules.seats: unknown key"),
        ("three-dice-football", ("positions: 16", "# none"), "rules: the key has no value"),
        ("three-dice-football", ("positions: 16", "positions: 8\n  warn_h: 0"), "rules.warn_h"),
        ("three-dice-football", ("positions: 16", "positions: 8\n  retire_h: 25"), "rules.retire_h"),
        ("three-dice-football", ("positions: 16", "positions: 8\n  warn_h: 20\n  retire_h: 12"), "comes after"),
        ("casino-war", ("decks: 6", "decks: 7"), "7 decks without a shuffler: use 6, 8"),
        ("casino-war", ("decks: 6", "decks: 8\n  shuffler: true"), "8 decks with a shuffler: use 12, 14, 16"),
        ("casino-war", ("positions: 7", "positions: 8"), "8 is out of range"),
        ("casino-war", ("decks: 6", "decks: 6\n  retire_h: 25"), "25 is out of range"),
        ("casino-war", ("rules:", "layout:\n  odds:\n    tie-1: 11 to 1\nrules:"), "fixes the odds of tie-1"),
        ("casino-war", ("positions: 7", "positions: 6"), "no area 'initial-7-won' in this game"),
        ("roulette", ("wheel: double-zero", "wheel: triple-zero"), "rules.wheel"),
        ("roulette", ("wheel: double-zero", "wheel: single-zero"), "straight-00: no area 'straight-00'"),
        ("roulette", ("result: both", "result: keypad"), "there is a wheel reader, but the rules do not use it"),
        ("roulette", READER, "the winning number comes from a wheel reader, and there is none"),
        ("roulette", ("  # beam_angle_deg: 90", "  beam_angle_deg: 170"), "cannot tell which way the ball runs"),
        ("roulette", ("  # call_alert_s: 20", "  call_alert_s: 4"), "rules.call_alert_s"),
        ("roulette", ("  # call_alert_s: 20", "  call_alert_s: 121"), "rules.call_alert_s"),
        ("roulette", ("      ball_1: 23", "      # ball_1: 23"), "devices.rotor.pins"),
        ("roulette", ("      ball_2: 24", "      ball_2: 23"), "pin 23 is already used"),
        ("roulette", ("      column-2: 39", "      # column-2: 39"), "the area 'column-2' has no lamp"),
    ],
)
def test_what_does_not_fit_is_refused(tmp_path: Path, game: str, change: Change, message: str) -> None:
    assert message in problems(tmp_path, game, change)


@pytest.mark.clause("651a.3(a)", "651a.3(c)")
@pytest.mark.parametrize(("shuffler", "allowed"), [("false", {6, 8}), ("true", {12, 14, 16})])
def test_only_the_regulations_numbers_of_decks_are_played(tmp_path: Path, shuffler: str, allowed: set[int]) -> None:
    """§ 651a.3(a), (c)(1): six or eight; with a shuffler twelve to sixteen, in two equal batches."""
    changed = {decks: ("decks: 6", f"decks: {decks}\n  shuffler: {shuffler}") for decks in range(1, 21)}
    assert {decks for decks, change in changed.items() if not problems(tmp_path, "casino-war", change)} == allowed


@pytest.mark.clause("617a.1(a)")
@pytest.mark.parametrize("ball_mm", ["5", "19.049", "19.05", "22.225", "22.226", "24.9"])
def test_the_ball_measures_12_to_14_sixteenths_of_an_inch(tmp_path: Path, ball_mm: str) -> None:
    """§ 617a.1(a); an inch is 25.4 mm."""
    found = problems(tmp_path, "roulette", ("  # ball_mm: 20", f"  ball_mm: {ball_mm}"))
    assert ("rotor.ball_mm" in found) == (ball_mm not in ("19.05", "22.225"))


@pytest.mark.clause("617a.4(a)")
def test_odds_below_the_regulation(tmp_path: Path) -> None:
    odds = "layout:\n  odds: {straight-17: 34 to 1, first-five: 7 to 1, split-0-3: 17 to 1}\nrules:"
    message = problems(tmp_path, "roulette", ("\nrules:", f"\n{odds}"))
    assert "layout.odds.straight-17: 34 to 1 is below § 617a.4(a); use 35 to 1 or more" in message
    assert "no wager 'split-0-3' in this game" in message
    assert "first-five" not in message.replace("use one of", "")


@pytest.mark.clause("617a.1(e)(1)")
def test_00_of_a_converted_wheel_takes_no_wager(tmp_path: Path) -> None:
    """§ 617a.1(e)(1): no straight wager, and none with other numbers; it has neither lamp nor odds."""
    assert "no area 'straight-00' in this game" in problems(tmp_path, "roulette", CONVERTED)
    covered = (CONVERTED, ("\n      straight-00: 1", ""))
    assert problems(tmp_path, "roulette", *covered) == ""
    odds = ("\nrules:", "\nlayout:\n  odds: {straight-00: 36 to 1}\nrules:")
    assert "no wager 'straight-00' in this game" in problems(tmp_path, "roulette", *covered, odds)
    areas = [wager.area for wager in ROULETTE.wagers_under({"wheel": "double-zero-as-single"})]
    assert "straight-0" in areas
    assert not [area for area in areas if "00" in area.split("-") or area == "first-five"]


@pytest.mark.clause("617a.1(f)(3)")
def test_the_least_and_the_highest_wager_are_on_the_players_board(shipped: Shipped) -> None:
    """§ 617a.1(f)(3); a file without limits says that another sign has them, and the board shows none."""
    limits = screens_of(Rig(with_limits(shipped("roulette"), minimum=10, maximum=2_000))).checked_board()["limits"]
    assert (limits["minimum"], limits["maximum"], limits["currency"]) == ("10", "2000", "$")
    assert screens_of(Rig(shipped("roulette"))).checked_board()["limits"] is None


@pytest.mark.clause("617a.3(e)(1)")
def test_five_adjacent_numbers_are_wagered_on_only_where_they_are_offered(shipped: Shipped) -> None:
    for offered in ("true", "false"):
        rules = {"wheel": "double-zero", "result": "keypad", "five_adjacent": offered}
        wagers = {item.wager for item in ROULETTE.returns(ROULETTE.payouts(shipped("roulette")), rules)}
        assert ("five-adjacent" in wagers) == (offered == "true")
