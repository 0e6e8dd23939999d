"""Roulette: the inspection and its log, faults and power cuts, what the file may say, many rounds."""

import json
import re
from collections.abc import Callable
from contextlib import closing
from decimal import Decimal
from pathlib import Path

import pytest
from roulette_table import (
    FLOOR,
    MAINTENANCE,
    SECURITY,
    called,
    choose,
    guarded,
    identify,
    inspected,
    no_spin,
    opened,
    plays_on,
    settle,
    spin,
    with_rules,
)

from config.problems import ConfigError
from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.commands.cli import main
from controller.commands.local_time import in_local_time
from controller.configuration.shipped import load_table, table_path
from controller.events.effect import InspectionLogged
from controller.runtime import exit_codes as exits
from controller.tracking.roulette.wheel import RouletteTracker

GAME = "roulette"
NOBODY = "the floorperson"
"""Who acts at a table that asks nobody."""
Shipped = Callable[[str], TableConfig]


# -- the inspection and its log ------------------------------------------------------------------------------------


def logged(table: Rig) -> list[InspectionLogged]:
    return [e for record in table.records() for e in record.effects if isinstance(e, InspectionLogged)]


@pytest.mark.clause("617a.2(a)", "617a.2(a)(3)")
def test_the_table_does_not_open_without_the_inspection(shipped: Shipped) -> None:
    """§ 617a.2(a)(1) to (4), step by step; wheel and sensors must have been seen to work."""
    table = Rig(shipped(GAME))
    spin(table)
    table.press("no-more-bets")
    assert table.state.value == "closed"
    table.press("floor-key", "1", "floor-key")
    for words in ("magnet or compass", "magnet or contrivance"):
        assert words in table.waiting_for
        table.press("floor-key")
    assert "level and turns freely" in table.waiting_for
    table.press("floor-key")
    assert table.last("refused").control == "floor-key"
    spin(table, turns=3.2)
    table.press("floor-key")
    assert table.last("refused").control == "floor-key"
    spin(table)
    assert "seen: the wheel clockwise, the ball counterclockwise" in table.waiting_for
    table.press("floor-key")
    assert "secure" in table.waiting_for
    table.press("floor-key")
    assert table.state.value == "bets-open"
    (entry,) = logged(table)
    assert (entry.table, entry.work, entry.inspected, entry.credential) == ("roulette", (), True, NOBODY)
    assert entry.utc_ns > 1_700_000_000 * 10**9
    assert entry.signature == "floor-key"


@pytest.mark.clause("617a.1(e)(1)", "617a.1(e)(2)", "617a.2(a)(5)")
def test_a_converted_wheel_has_a_step_for_layout_and_signs(shipped: Shipped) -> None:
    table = Rig(with_rules(shipped(GAME), wheel="double-zero-as-single"))
    table.press("floor-key", "1", "floor-key", "floor-key", "floor-key")
    spin(table)
    table.press("floor-key", "floor-key")
    assert "step 5 of 5: layout and signs show that 00 is no wager" in table.waiting_for
    table.press("floor-key")
    assert table.state.value == "bets-open"


@pytest.mark.clause("617a.2(b)", "617a.2(c)", "617a.2(d)", "617a.2(e)")
def test_an_adjustment_is_logged_with_all_its_fields_and_asks_for_a_new_inspection(keypad: Rig) -> None:
    table = keypad
    table.press("floor-key", "2")
    assert table.last("wagers-returned").reason == "table-closed"
    table.press("2", "5")
    assert "replacement of the pocket separators: who made it turns the key" in table.waiting_for
    table.press("8", "1", "5", "enter")
    assert table.last("refused").control == "enter", "no number is keyed freely"
    table.press("floor-key", "floor-key")
    assert "pressed twice" in table.last("refused").waiting_for, "the worker is no witness"
    table.wait(1)
    table.press("floor-key")
    entry = logged(table)[-1]
    assert entry.work == ("replacement of the pocket separators",)
    assert (entry.inspected, entry.credential, entry.witness) == (False, NOBODY, NOBODY)
    assert table.state.value == "closed"
    assert "inspect before play" in table.waiting_for
    table.press("floor-key", "2", "1", "7", "floor-key")
    table.wait(1)
    table.press("floor-key")
    assert logged(table)[-1].work == ("adjustment of the level of the wheel",)
    table.press("floor-key", "1", "floor-key", "floor-key", "floor-key")
    spin(table)
    table.press("floor-key", "floor-key")
    assert table.state.value == "bets-open"
    entry = logged(table)[-1]
    assert (entry.work, entry.inspected, entry.credential) == ((), True, NOBODY)


@pytest.mark.parametrize("keys", ["", "2", "25", "25k"])
def test_an_abandoned_or_interrupted_entry_is_not_logged(keypad: Rig, keys: str) -> None:
    before = logged(keypad)
    presses = ["floor-key" if key == "k" else key for key in keys]
    keypad.press("floor-key", "2", *presses, "clear")
    if keypad.state.value != "closed":
        keypad.press("clear")
    assert keypad.state.value == "closed"
    keypad.press("floor-key", "2", *presses)
    keypad.power_cut()
    assert keypad.state.value == "closed"
    assert logged(keypad) == before


@pytest.mark.clause("617a.2(e)")
def test_the_inspection_log_is_printed_with_every_field(
    shipped: Shipped, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "journal"
    table = guarded(with_rules(shipped(GAME), result="keypad"), file)
    with closing(table.journal):
        choose(table, SECURITY, "1")
        identify(table, SECURITY)
        table.press("clear")
        inspected(table, FLOOR)
        table.press("floor-key", "enter", "2", "1", "3")
        identify(table, MAINTENANCE)
        identify(table, SECURITY)
        table.table.stop()
    assert main(["journal", "inspections", str(file), "--json"]) == exits.OK
    refused, passed, adjusted = json.loads(capsys.readouterr().out)
    assert (refused["credential"], refused["description"]) == (SECURITY, "-")
    assert refused["inspection"] == "refused: the ball was passed over a magnet or compass and is not magnetic"
    assert passed == {
        "date": "2026-01-01",
        "time": passed["time"],
        "table": "roulette",
        "adjustment or replacement": "none",
        "description": "-",
        "inspection": "completed",
        "signature": "floor-key",
        "credential": FLOOR,
        "security": "-",
    }
    assert re.fullmatch(r"00:0\d:\d\dZ", passed["time"])
    assert adjusted["adjustment or replacement"] == "adjustment"
    assert adjusted["description"] == "adjustment of the ball track"
    assert adjusted["inspection"] == "required, not made"
    assert (adjusted["credential"], adjusted["security"]) == (MAINTENANCE, SECURITY)
    assert main(["journal", "inspections", str(file)]) == exits.OK
    output = capsys.readouterr().out
    day, time, _zone = in_local_time(f"{adjusted['date']}T{adjusted['time']}").split()
    for name, value in {**adjusted, "date": day, "time": time}.items():
        assert value in output, name


def up_to_the_trial_spin(table: Rig) -> None:
    table.press("floor-key", "1", "floor-key", "floor-key", "floor-key")
    assert "step 3" in table.waiting_for


def test_crossed_wires_of_the_encoder_do_not_pass_the_trial_spin(shipped: Shipped) -> None:
    table = Rig(shipped(GAME))
    table.world.fault("swapped")
    table.power_cut()
    up_to_the_trial_spin(table)
    spin(table)
    assert table.state.value == "inspecting"
    alert = table.last("alert")
    assert "seen: the wheel counterclockwise, the ball counterclockwise" in alert.text
    assert "wires are crossed" in alert.remedy
    table.press("floor-key")
    assert "step 3" in table.waiting_for


def test_wires_that_are_put_right_pass_the_next_inspection(shipped: Shipped) -> None:
    """The table learned how the lines lie while they lay crossed."""
    table = Rig(shipped(GAME))
    table.world.fault("swapped")
    up_to_the_trial_spin(table)
    for _ in range(2):
        spin(table)
    assert "wires are crossed" in table.last("alert").remedy
    table.press("clear")
    table.world.repair()
    up_to_the_trial_spin(table)
    for _ in range(2):
        spin(table)
    table.press("floor-key", "floor-key")
    assert table.state.value == "bets-open"


# -- faults, power cuts, second runs -------------------------------------------------------------------------------


@pytest.mark.parametrize(("fault", "line"), [("stuck-high", "ball_1"), ("stuck-low", "ball_2"), ("swapped", "")])
def test_a_sensor_in_doubt_voids_the_spin_locks_and_is_named(keypad: Rig, fault: str, line: str) -> None:
    spin(keypad, rest=False)
    keypad.wait(4)
    keypad.press("no-more-bets")
    keypad.world.fault(fault, line)
    keypad.ball_rest()
    assert keypad.last("void").reason == "sensor-fault"
    assert keypad.state.value == "locked"
    assert (line or "encoder") in keypad.waiting_for
    keypad.press("1", "7", "enter")
    assert keypad.lit() == set()
    keypad.world.repair()
    keypad.press("floor-key")
    plays_on(keypad, called_before=True)


def test_a_dead_lamp_locks_the_table_after_the_round(keypad: Rig) -> None:
    keypad.world.fault("dead-lamp", "straight-12")
    called(keypad, "12")
    keypad.press("1", "2", "enter")
    assert "no light at straight-12" in keypad.last("alert").text
    settle(keypad)
    assert keypad.state.value == "locked"
    keypad.world.repair()
    keypad.press("floor-key")
    assert keypad.state.value == "bets-open"


def test_a_power_cut_while_the_ball_runs_voids_the_spin(shipped: Shipped, tmp_path: Path) -> None:
    table = opened(with_rules(shipped(GAME), result="keypad"), tmp_path / "journal")
    spin(table, rest=False)
    table.wait(4)
    table.power_cut()
    no_spin(table, "power-cut")
    table.ball_rest()
    plays_on(table, called_before=False)
    table.journal.close()


def test_a_power_cut_after_the_ball_left_the_track_loses_nothing(shipped: Shipped, tmp_path: Path) -> None:
    table = opened(shipped(GAME), tmp_path / "journal")
    called(table, "12")
    table.press("1")
    table.power_cut(20)
    assert table.state.value == "entry"
    assert table.machine.data.entry == "1"
    table.press("2", "enter")
    assert table.lit() == set()
    table.wait(31)  # The reader sent a number while the power was off.
    assert table.state.value == "dispute"
    table.press("floor-key", "1", "2", "enter")
    lit = table.lit()
    assert "straight-12" in lit
    table.power_cut()
    assert table.lit() == lit
    assert "12 red" in table.waiting_for
    table.journal.close()


def test_the_trackers_failure_locks_the_table(keypad: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> None:
        raise RuntimeError("broken")

    spin(keypad, rest=False)
    keypad.wait(4)
    assert isinstance(keypad.table.tracker, RouletteTracker)
    monkeypatch.setattr(keypad.table.tracker, "feed", broken)
    keypad.wait(1)
    assert keypad.state.value == "locked"
    assert keypad.last("void").reason == "controller-failed"
    keypad.press("floor-key")
    keypad.ball_rest()
    plays_on(keypad, called_before=False)


# -- the file ------------------------------------------------------------------------------------------------------


def problems(tmp_path: Path, *changes: tuple[str, str]) -> str:
    text = table_path(GAME).read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    file = tmp_path / "table.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as error:
        load_table(file)
    return str(error.value)


@pytest.mark.clause("617a.1(a)", "617a.1(f)(2)")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("wheel: double-zero", "wheel: triple-zero"), "rules.wheel"),
        (("wheel: double-zero", "wheel: single-zero"), "devices.panel.lamps.straight-00: no area 'straight-00'"),
        (("result: both", "result: keypad"), "there is a wheel reader, but the rules do not use it"),
        (("  # beam_angle_deg: 90", "  beam_angle_deg: 170"), "cannot tell which way the ball runs"),
        (("  # ball_mm: 20", "  ball_mm: 19.04"), "rotor.ball_mm"),
        (("  # ball_mm: 20", "  ball_mm: 22.23"), "rotor.ball_mm"),
        (("      ball_1: 23", "      # ball_1: 23"), "devices.rotor.pins"),
        (("      ball_2: 24", "      ball_2: 23"), "pin 23 is already used by devices.rotor.pins.ball_1"),
        (("      column-2: 39", "      # column-2: 39"), "the area 'column-2' has no lamp"),
    ],
)
def test_a_file_that_does_not_fit_is_refused(tmp_path: Path, change: tuple[str, str], message: str) -> None:
    assert message in problems(tmp_path, change)


@pytest.mark.clause("617a.1(a)")
@pytest.mark.parametrize("ball_mm", ["19.05", "22.22", "22.225"])
def test_a_ball_of_12_to_14_sixteenths_of_an_inch_passes(tmp_path: Path, ball_mm: str) -> None:
    """§ 617a.1(a), to the thousandth of a millimetre."""
    text = table_path(GAME).read_text(encoding="utf-8").replace("  # ball_mm: 20", f"  ball_mm: {ball_mm}")
    file = tmp_path / "table.yaml"
    file.write_text(text, encoding="utf-8")
    rotor = load_table(file).config.rotor
    assert rotor is not None
    assert rotor.ball_mm == Decimal(ball_mm)


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
