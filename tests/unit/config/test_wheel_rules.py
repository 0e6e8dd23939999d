"""What a table's file says of a wheel with a clapper, whatever the number of its sections."""

import pytest

from config.schema import WheelSection
from controller.configuration.wheel_rules import index_phase
from controller.machine.registry import find_game, game_names

TOLERANCE = "# tolerance_deg: 0.3"
CROSSED = "crossed wires A and B could not be noticed"
ON_WHEELS = pytest.mark.parametrize("game", [find_game(name) for name in game_names() if find_game(name).wheel])


def order(sections, marked=None) -> tuple[str, str]:
    words = [f"▸{name}" if place == marked else name for place, name in enumerate(sections)]
    return "\nwheel:\n", f"\nwheel:\n  order: [{', '.join(words)}]\n"


@pytest.mark.clause("689a.1(a)", "689a.1(b)", "619a.1(a)", "619a.1(b)")
@ON_WHEELS
def test_the_sections_stand_in_the_order_of_the_clause(mistakes, game):
    for first in (0, 3, len(game.wheel) - 2):
        wrong = list(game.wheel)
        wrong[first : first + 2] = reversed(wrong[first : first + 2])
        if wrong != list(game.wheel):
            (said,) = mistakes(game.name, order(wrong, first))
            assert f"section {first + 1} is '{game.wheel[first]}' by {game.wheel_clause}" in said
    assert mistakes(game.name, order(game.wheel)) == []
    assert (
        f"wheel.order: 3 sections instead of {len(game.wheel)}" in mistakes(game.name, order(["7x", "2", "1"]))[0]
    )


# -- the index mark and the clapper --------------------------------------------------------------------------------


@ON_WHEELS
def test_an_index_mark_beyond_a_turn_or_on_a_peg(mistakes, game):
    (said,) = mistakes(game.name, ("index_offset_counts: 7", "index_offset_counts: ▸1440"))
    assert said.startswith("wheel.index_offset_counts: 1440 is out of range: a turn has 1440 counts (also ")
    assert said.endswith("; use 0 to 1439")
    (said,) = mistakes(game.name, ("index_offset_counts: 7", "index_offset_counts: ▸0"))
    assert CROSSED in said


def pegs_and_mirror_image_apart(sections: int, counts: int, offset: int) -> int:
    """By listing all pegs: how near a peg comes to a mirrored one, in 1/sections counts."""
    turn = counts * sections
    true = {(peg * counts - offset * sections) % turn for peg in range(sections)}
    mirrored = {-place % turn for place in true}
    return min(min((a - b) % turn, (b - a) % turn) for a in true for b in mirrored)


@pytest.mark.parametrize("sections", [24, 37, 54])
@pytest.mark.parametrize("counts", [720, 1000, 1440, 2160])
@pytest.mark.parametrize("tolerance", ["0.1", "0.4", "0.75"])
def test_index_phase_agrees_with_the_pegs_themselves(sections, counts, tolerance):
    margin = int(float(tolerance) * 1000) * sections * counts / 360_000 + 2 * sections
    for offset in (*range(counts // sections + 2), counts // 2, counts - 1):
        wheel = WheelSection(counts_per_turn=counts, index_offset_counts=offset, tolerance_deg=tolerance)
        found = list(index_phase(wheel, sections))
        assert bool(found) == (pegs_and_mirror_image_apart(sections, counts, offset) <= margin), offset
        if found:
            better = int(found[0].remedy.rpartition(" ")[2])
            assert pegs_and_mirror_image_apart(sections, counts, better) > margin


@ON_WHEELS
def test_clapper_and_tolerance_leave_a_place_in_each_section(mistakes, game):
    least = round((360 / len(game.wheel) - 3) / 2 + 0.005, 2)
    contact = ("# contact_deg: 2.4", "contact_deg: ▸3")
    said = mistakes(game.name, (TOLERANCE, f"tolerance_deg: {least}"), contact)
    expected = f"wheel.contact_deg: contact_deg and twice tolerance_deg make {3 + 2 * least:.2f} degrees"
    assert expected in "\n".join(said)
    allowed = mistakes(game.name, (TOLERANCE, f"tolerance_deg: {least - 0.01:.2f}"), (contact[0], "contact_deg: 3"))
    assert "wheel.contact_deg" not in "\n".join(allowed)


# -- calibrated ----------------------------------------------------------------------------------------------------


def clapper(pegs: int, mark: str = "") -> tuple[str, str]:
    """The change that adds what ``calibrate`` writes."""
    return "  # serial:", (
        "  clapper:\n    measured: 2026-11-22\n"
        "    strikes_deg: {clockwise: 0.1, counterclockwise: -0.1}\n"
        "    releases_from_deg: {clockwise: 1.5, counterclockwise: 1.6}\n"
        "    releases_to_deg: {clockwise: 2.5, counterclockwise: 2.6}\n"
        "    strike_delay_ms: 0.5\n    release_delay_ms: 0.7\n"
        f"    pegs_deg: {mark}[{', '.join(['0.01'] * pegs)}]\n    left_over_deg: 0.1\n  # serial:"
    )


@ON_WHEELS
def test_a_calibrated_wheel_may_have_its_index_anywhere_and_has_all_its_pegs(mistakes, game):
    sections = len(game.wheel)
    wide = ((TOLERANCE, "tolerance_deg: 2"), ("# contact_deg: 2.4", "contact_deg: 3"))
    for offset in (0, 1, 13, 1439):
        index = ("index_offset_counts: 7", f"index_offset_counts: {offset}")
        assert mistakes(game.name, index, clapper(sections), *wide) == []
    (said,) = mistakes(game.name, clapper(sections - 1, "▸"))
    assert said.startswith(
        f"wheel.clapper.pegs_deg: {sections - 1} pegs measured, but the wheel has {sections} sections"
    )
    assert said.endswith("table-controller calibrate FILE")


@pytest.mark.parametrize("offset", [7, 0, 13, 20, 40])
@ON_WHEELS
def test_what_is_advised_of_a_real_wheel(check, game, offset):
    """To calibrate it, and where crossed wires would not show afterwards."""
    index, real = ("index_offset_counts: 7", f"index_offset_counts: {offset}"), ("backend: mock", "backend: gpiod")
    wheel, calibrated = "the wheel is not calibrated", check(game.name, index, clapper(len(game.wheel)))
    if offset == 7:
        assert check(game.name) == []
        assert any(line.startswith(wheel) for line in check(game.name, real))
        assert not any(line.startswith(wheel) for line in check(game.name, real, clapper(len(game.wheel))))
    crossed = "wires A and B crossed by later work could not be noticed"
    assert any(crossed in line for line in calibrated) == (offset in (0, 13, 40))


@ON_WHEELS
def test_strikes_that_scatter_widely_hide_crossed_wires(check, game):
    near, crossed = ("index_offset_counts: 7", "index_offset_counts: 3"), "wires A and B crossed by later work"
    for left_over, hidden in (("0.1", False), ("0.9", True)):
        scatter = ("left_over_deg: 0.1", f"left_over_deg: {left_over}")
        advice = check(game.name, near, clapper(len(game.wheel)), scatter)
        assert any(line.startswith("the index mark") and crossed in line for line in advice) == hidden
