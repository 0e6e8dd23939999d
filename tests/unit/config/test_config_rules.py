"""The rules that need no game: wiring without clashes, geometry that can be trusted."""

import pytest

from config.loader import load_text
from config.rules import SECTIONS, index_phase
from config.schema import WheelSection

TOLERANCE = f"# tolerance_deg: {WheelSection.model_fields['tolerance_deg'].default}"
CROSSED = "where crossed wires A and B could not be noticed"


def in_file(text):
    """A text without its ▸ marks, and where each stood."""
    places = []
    while "▸" in text:
        before, _, after = text.partition("▸")
        text = before + after
        places.append((before.count("\n") + 1, len(before) - before.rfind("\n")))
    return text, places


def changed(table, *pairs):
    for old, new in pairs:
        assert old in table
        table = table.replace(old, new, 1)
    return in_file(table)


def config_with(table, counts, offset, tolerance="0.4"):
    text, _ = changed(
        table,
        ("counts_per_turn: 1440", f"counts_per_turn: {counts}"),
        ("index_offset_counts: 7", f"index_offset_counts: {offset}"),
        (TOLERANCE, f"tolerance_deg: {tolerance}"),
    )
    return load_text(text.encode(), "table.yaml")


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
        ("[4, 5, 6, no-roll]", "[4, 5, 6, no-roll, x]", "devices.keypad.keys.1", "but this row has 5 keys"),
        ("[4, 5, 6, no-roll]", "[4, 5, 6, 1]", "devices.keypad.keys.1.3", "the control '1' appears twice"),
    ],
)
def test_keypad_that_does_not_fit_its_matrix(problems, sic_bo, old, new, key, message):
    text, _ = changed(sic_bo, (old, new))
    (problem,) = problems(text)
    assert problem.key == key
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


# -- geometry ------------------------------------------------------------------------------------------------------


def test_index_offset_beyond_a_turn(problems, table):
    text, [here] = changed(table, ("index_offset_counts: 7", "index_offset_counts: ▸1440"))
    (problem,) = problems(text)
    assert (problem.line, problem.column) == here
    assert problem.message.startswith("1440 is out of range: a turn has 1440 counts (also ")
    assert problem.remedy == "use 0 to 1439"


@pytest.mark.parametrize(
    ("offset", "counts", "better"),
    [
        (0, "2 counts", 2),  # on a peg
        (1, "1 count", 2),
        (13, "2 counts", 11),  # 13.33 is midway
        (14, "2 counts", 16),
        (26, "2 counts", 24),  # 26.67 is the next peg
        (1439, "1 count", 1438),
    ],
)
def test_index_mark_on_a_peg_or_midway(problems, table, offset, counts, better):
    at = ("index_offset_counts: 7", f"index_offset_counts: {offset}")
    text, _ = changed(table, at, (TOLERANCE, "tolerance_deg: 0.4"))
    found = [problem for problem in problems(text) if problem.key == "wheel.index_offset_counts"]
    assert len(found) == 1
    assert CROSSED in found[0].message
    assert found[0].remedy == f"turn the encoder on its axle by about {counts}, so that this becomes {better}"


def pegs_and_mirror_image_apart(counts, offset):
    """By listing all pegs: how near a peg of the wheel comes to a mirrored one, in 1/54 counts."""
    turn = counts * SECTIONS
    true = {(peg * counts - offset * SECTIONS) % turn for peg in range(SECTIONS)}
    mirrored = {-place % turn for place in true}
    return min(min((a - b) % turn, (b - a) % turn) for a in true for b in mirrored)


@pytest.mark.parametrize("counts", [720, 1000, 1440, 2160])
@pytest.mark.parametrize("tolerance", ["0.1", "0.4", "0.75"])
def test_index_phase_agrees_with_the_pegs_themselves(table, counts, tolerance):
    margin = int(float(tolerance) * 1000) * SECTIONS * counts / 360_000 + 2 * SECTIONS
    for offset in (*range(counts // SECTIONS + 2), counts // 2, counts - 1):
        found = list(index_phase(config_with(table, counts, offset, tolerance)))
        assert bool(found) == (pegs_and_mirror_image_apart(counts, offset) <= margin), offset
        if found:
            better = int(found[0].remedy.rpartition(" ")[2])
            assert pegs_and_mirror_image_apart(counts, better) > margin
            nearer = [offset + step for step in range(-abs(better - offset) + 1, abs(better - offset))]
            if abs(better - offset) < counts // 2:
                assert all(pegs_and_mirror_image_apart(counts, other % counts) <= margin for other in nearer)


def test_index_phase_that_no_offset_satisfies(table):
    config = config_with(table, 720, 3, "2")
    # The schema refuses so coarse an encoder; the rule has a remedy all the same.
    coarse = config.model_copy(update={"wheel": config.wheel.model_copy(update={"counts_per_turn": 400})})
    (found,) = index_phase(coarse)
    assert found.remedy == "use an encoder with more counts or a smaller tolerance_deg"


def test_clapper_and_tolerance_leave_a_place_in_each_section(problems, table):
    text, [(line, column), here] = changed(
        table, (TOLERANCE, "tolerance_deg: ▸1.84"), ("# contact_deg: 2.4", "contact_deg: ▸3")
    )
    problem = next(one for one in problems(text) if one.key == "wheel.contact_deg")
    assert (problem.line, problem.column) == here
    assert problem.message == (
        "contact_deg and twice tolerance_deg make 6.68 degrees, but a section has 6.67"
        f" (also table.yaml:{line}:{column})"
    )
    allowed = text.replace("tolerance_deg: 1.84", "tolerance_deg: 1.83")
    assert "wheel.contact_deg" not in [one.key for one in problems(allowed)]


def test_a_wheel_of_another_number_of_sections_is_for_its_game_to_judge(problems, table):
    text, _ = changed(
        table, ("index_offset_counts: 7", "index_offset_counts: 0"), ("# reversed: false", "order: [joker, 1]")
    )
    assert problems(text) == ()


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
