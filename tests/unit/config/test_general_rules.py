"""The rules that need no game: wiring without clashes, geometry that can be trusted."""

import pytest
from marked_text import changed

# -- wiring --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "second", "owner"),
    [
        (("encoder_a: 17", "encoder_a: ▸17"), ("encoder_b: 27", "encoder_b: ▸17"), "devices.head.pins.encoder_a"),
        (("clapper: 23", "clapper: ▸23"), ("clear: 13", "clear: ▸23"), "devices.head.pins.clapper"),
        (("clear: 13", "clear: ▸26"), ("floor-key: 26", "floor-key: ▸26"), "devices.buttons.pins.clear"),
        (("floor-key: 26", "floor-key: ▸12"), ("pin: 12", "pin: ▸12"), "devices.switches.pins.floor-key"),
    ],
)
def test_a_pin_used_twice_cites_both_lines(problems, table, first, second, owner):
    text, [(line, column), here] = changed(table, first, second)
    (problem,) = problems(text)
    assert (problem.line, problem.column) == here
    assert problem.message.endswith(f" is already used by {owner} (also table.yaml:{line}:{column})")
    assert "free pin" in problem.remedy


def test_a_pin_used_three_times_is_two_problems(problems, table):
    text, _ = changed(table, ("done: 6", "done: 17"), ("clear: 13", "clear: 17"))
    assert [one.key for one in problems(text)] == ["devices.buttons.pins.done", "devices.buttons.pins.clear"]


def test_pins_of_a_keypad(problems, sic_bo):
    text, places = changed(sic_bo, ("[5, 6, 13, 19]", "[▸5, 6, 13, ▸5]"), ("[16, 20, 21, 26]", "[16, 20, 21, ▸5]"))
    found = problems(text)
    assert [(problem.line, problem.column) for problem in found] == places[1:]
    assert [problem.key for problem in found] == ["devices.keypad.rows.3", "devices.keypad.columns.3"]


def test_an_output_of_two_lamps(problems, table):
    text, [(line, column), here] = changed(table, ("      20: 4", "      20: ▸4"), ("joker: 5", "joker: ▸4"))
    (problem,) = problems(text)
    assert (problem.line, problem.column) == here
    assert problem.message == (
        f"output 4 is already used by devices.panel.lamps.20 (also table.yaml:{line}:{column})"
    )


@pytest.mark.parametrize(
    ("old", "new", "key", "message"),
    [
        (
            "      - [clear, 0, enter, done]\n",
            "",
            "devices.keypad.keys",
            "has 4 pins under rows, but keys has 3 rows",
        ),
        (
            "[4, 5, 6, no-roll]",
            "[4, 5, 6]",
            "devices.keypad.keys.1",
            "4 pins under columns, but this row has 3 keys",
        ),
        ("[4, 5, 6, no-roll]", "[4, 5, 6, no-roll, log-on]", "devices.keypad.keys.1", "but this row has 5 keys"),
        ("[4, 5, 6, no-roll]", "[4, 5, 6, 1]", "devices.keypad.keys.1.3", "the control '1' appears twice"),
    ],
)
def test_a_keypad_that_does_not_match_its_matrix(problems, sic_bo, old, new, key, message):
    text, _ = changed(sic_bo, (old, new))
    (problem,) = (one for one in problems(text) if one.key == key)
    assert message in problem.message
    assert "(also table.yaml:" in problem.message


def test_a_control_on_a_button_and_a_key(problems, sic_bo):
    buttons = "  buttons:\n    backend: mock\n    pins: {▸enter: 4}\n  keypad:"
    text, [(line, column), *_] = changed(sic_bo, ("  keypad:", buttons))
    (problem,) = problems(text)
    assert problem.key == "devices.keypad.keys.3.2"
    assert (
        problem.message == f"the control 'enter' appears twice (also table.yaml:{line}:{column + len('enter: ')})"
    )


# -- dice ----------------------------------------------------------------------------------------------------------


def test_the_warning_comes_before_the_dice_are_retired(problems, sic_bo):
    text, [here, (line, column)] = changed(
        sic_bo, ("# warn_h: 23", "warn_h: ▸12.5"), ("# retire_h: 24", "retire_h: ▸12")
    )
    (problem,) = problems(text)
    assert (problem.line, problem.column) == here
    assert problem.message == (
        f"the warning at 12.5 h comes after the dice are retired at 12 h (also table.yaml:{line}:{column})"
    )
    assert problem.remedy == "use at most 12"
    assert problems(text.replace("warn_h: 12.5", "warn_h: 12")) == ()


@pytest.mark.clause("539.2(b)")
@pytest.mark.parametrize("hours", ["24.5", "25", "48"])
def test_dice_are_used_for_24_hours_at_the_most(problems, sic_bo, hours):
    """§ 539.2(b): no file makes it longer."""
    text, [here] = changed(sic_bo, ("# retire_h: 24", f"retire_h: ▸{hours}"))
    (problem,) = problems(text)
    assert (problem.line, problem.column) == here
    assert problem.key == "dice.retire_h"
    assert "24" in f"{problem.message} {problem.remedy}"


# -- metrics -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("more", "key", "message", "remedy"),
    [
        (
            "screens:\n  enabled: false\n  metrics: true\n",
            "screens.metrics",
            "/metrics is one of the pages, and this file turns them off",
            "set `enabled: true`",
        ),
        (
            "screens:\n  metrics_token: /etc/token\n",
            "screens.metrics_token",
            "a token for metrics that are not served",
            "set `metrics: true`",
        ),
    ],
)
def test_metrics_that_could_not_be_served_are_problems(problems, table, more, key, message, remedy):
    (problem,) = problems(f"{table}\n{more}")
    assert problem.key == key
    assert problem.message.startswith(message)
    assert problem.remedy.startswith(remedy)
