"""Dealers log on with a number, where a table has a key for it; the game does not receive these keys."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from config.problems import ConfigError
from controller.access.authentication import KEYS, Authentication
from controller.access.dealer_login import LOG_ON, MOST_DIGITS, PATIENCE_NS, DealerLogOn
from controller.bench.rig import Rig
from controller.configuration.shipped import LoadedTable, load_table, shipped_tables
from controller.events.event import DealerLoggedOn, Event, Press
from controller.journal.recovery import recover_table_state
from controller.screens.rounds import Rounds
from controller.screens.server import ScreenServer

BUTTON = """\
  buttons:
    backend: mock
    options: {}
    pins:
      log-on: 23
"""
SWITCHES = "  # Key switches and contacts."


def fitted(tmp_path: Path, game: str = "sic-bo", added: str = BUTTON) -> LoadedTable:
    """A shipped table with a further device."""
    text = shipped_tables()[game].read_text(encoding="utf-8")
    assert SWITCHES in text
    file = tmp_path / "table.yaml"
    file.write_text(text.replace(SWITCHES, added + SWITCHES, 1), encoding="utf-8")
    return load_table(file)


@pytest.fixture
def table(tmp_path: Path) -> Rig:
    """Sic Bo with a button log-on, closed."""
    return Rig(fitted(tmp_path).config)


def log_on(table: Rig, number: str) -> None:
    table.press(LOG_ON, *number, "enter")


def test_a_log_on_is_recorded_and_lasts_until_the_next(table: Rig) -> None:
    log_on(table, "31")
    assert table.table.table_state.dealer == "31"
    event = table.last("dealer-logged-on")
    assert isinstance(event, DealerLoggedOn)
    assert event.utc_ns > 0
    assert [record.outcome for record in table.records()[-1:]] == ["noted"]
    table.power_cut()
    assert table.table.table_state.dealer == "31"
    log_on(table, "44")
    assert table.table.table_state.dealer == "44"
    log_on(table, "")
    assert table.table.table_state.dealer == ""
    assert recover_table_state(table.journal)[0].dealer == ""


def test_digits_of_a_number_do_not_reach_the_game(table: Rig) -> None:
    table.press("floor-key")
    before = len(table.records())
    table.press(LOG_ON, "1", "2")
    assert (table.state.value, len(table.records())) == ("floor-menu", before)
    table.press("clear", "clear")
    assert (table.state.value, len(table.records())) == ("floor-menu", before)
    table.press("clear")
    assert table.state.value == "closed", "the game hears again"


def test_a_turn_of_the_key_gives_up_a_log_on(tmp_path: Path) -> None:
    class Knows:
        def knows(self, number: str) -> bool:
            return True

        def verify(self, number: str, pin: str) -> bool:
            return (number, pin) == ("4711", "830261")

    table = Rig(fitted(tmp_path).config, authority=lambda: Authentication(Knows()))
    table.press(LOG_ON, "3", "floor-key", *"4711", "enter", *"830261", "enter")
    assert table.state.value == "floor-menu"
    table.press("enter", "1")
    assert table.state.value == "inspection-entry", "the menu's first choice, not a digit of the dealer's number"
    table.press("enter")
    assert table.table.table_state.dealer == ""
    table.press(LOG_ON, *"31", "enter")
    assert table.table.table_state.dealer == "31"


def test_the_dealers_screen_shows_the_log_on(tmp_path: Path) -> None:
    loaded = fitted(tmp_path)
    table = Rig(loaded.config)
    screens = ScreenServer(loaded, table.clock, Rounds(tmp_path, tmp_path))
    screens.watch(table.table)
    table.press(LOG_ON, "3")
    assert _dealer(screens)["prompt"] == "dealer: key your number, then enter; no number logs off: 3"
    table.press("1", "enter")
    assert (_dealer(screens)["prompt"], _dealer(screens)["dealer"]) == ("", "31")


def _dealer(screens: ScreenServer) -> dict[str, object]:
    dealer_part = screens._dealer()["dealer"]
    assert isinstance(dealer_part, dict)
    return dealer_part


# -- any presses ---------------------------------------------------------------------------------------------------

CONTROLS = st.sampled_from([*sorted(KEYS), LOG_ON, LOG_ON, "enter", "done"])
WAITS = st.sampled_from([1, 1, 1, 1, PATIENCE_NS + 1])


@given(presses=st.lists(st.tuples(CONTROLS, WAITS), max_size=40))
def test_every_press_goes_to_the_game_or_to_a_number(presses: list[tuple[str, int]]) -> None:
    """A reference: a log-on is a list of digits, or none."""
    log_on, now_ns, keyed = DealerLogOn(), 0, None
    for control, wait_ns in presses:
        now_ns += wait_ns
        keyed = None if wait_ns > PATIENCE_NS else keyed
        press = Press(now_ns, control, 7)
        expected: list[Event] = []
        if control == LOG_ON:
            keyed = ""
        elif keyed is None or control == "done":
            expected = [press]
        elif control == "enter" and len(keyed) <= MOST_DIGITS:
            expected, keyed = [DealerLoggedOn(now_ns, 7, keyed)], None
        elif control == "clear":
            keyed = "" if keyed else None
        elif control != "enter":
            keyed += control
        assert log_on.press(press) == expected
        assert bool(log_on.prompt(now_ns)) == (keyed is not None)


# -- the table's file ----------------------------------------------------------------------------------------------


def problems(tmp_path: Path, game: str, added: str) -> list[str]:
    with pytest.raises(ConfigError) as refused:
        fitted(tmp_path, game, added)
    return [str(problem) for problem in refused.value.problems]


def test_a_table_with_the_key_but_no_digits_is_reported(tmp_path: Path) -> None:
    text = shipped_tables()["big-six"].read_text(encoding="utf-8")
    file = tmp_path / "table.yaml"
    before, _, after = text.partition("  # The keypad for credential numbers")
    text = before + "  # Key switches" + after.partition("  # Key switches")[2]
    text = text.replace("credentials:\n", "credentials: none\n").replace("  file: /etc/table-con", "  # file: ")
    clear = next(line for line in text.splitlines() if line.lstrip().startswith("clear:"))
    file.write_text(text.replace(clear, clear + "\n      log-on: 4", 1), encoding="utf-8")
    with pytest.raises(ConfigError) as refused:
        load_table(file)
    found = [str(problem) for problem in refused.value.problems]
    assert len(found) == 1
    assert "a dealer's number cannot be keyed in: no key for 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, enter" in found[0]
    assert "take log-on away" in found[0]
    keyboard = "".join(f"      {key}: K-{key}\n" for key in (*"0123456789", "enter"))
    added = f"  keyboard:\n    backend: mock\n    options: {{}}\n    codes:\n{keyboard}"
    file.write_text(file.read_text(encoding="utf-8").replace("  switches:\n", f"{added}  switches:\n", 1))
    assert load_table(file).config.devices.keyboard is not None


def test_a_number_that_is_too_long_is_shown_as_dots() -> None:
    """It may be a PIN, keyed in the wrong place."""
    log_on = DealerLogOn()
    for at, control in enumerate(("log-on", *"968577968")):
        log_on.press(Press(at, control))
    assert "•" * 9 in log_on.prompt(10)
    assert "96" not in log_on.prompt(10)
