"""What a table's file says of a wheel with a clapper, whatever the number of its sections."""

import re
from pathlib import Path

import pytest
from marked_text import changed

from config.loader import load_text
from config.problems import ConfigError, Problem
from config.rules import GENERAL_RULES
from config.schema import TableConfig, WheelSection
from controller import errors as exits
from controller.commands.cli import main
from controller.configuration.rules import GAME_RULES
from controller.configuration.shipped import shipped_tables
from controller.configuration.wheel_rules import index_phase
from controller.machine.game import Game
from controller.machine.registry import find_game, game_names
from controller.odds.wagers import to_one

TOLERANCE = f"# tolerance_deg: {WheelSection.model_fields['tolerance_deg'].default}"
CROSSED = "where crossed wires A and B could not be noticed"
WHEELS = [name for name in game_names() if find_game(name).wheel]


@pytest.fixture(params=WHEELS)
def game(request: pytest.FixtureRequest) -> Game:
    """Each of the games on a wheel with a clapper."""
    return find_game(str(request.param))


@pytest.fixture
def table(game: Game) -> str:
    """The text of its table, to be changed."""
    return shipped_tables()[game.name].read_text(encoding="utf-8")


def problems(text: str) -> list[Problem]:
    try:
        load_text(text.encode(), "table.yaml", (*GENERAL_RULES, *GAME_RULES))
    except ConfigError as error:
        return list(error.problems)
    return []


def config_with(counts: int, offset: int, tolerance: str = "0.4") -> TableConfig:
    text, _ = changed(
        shipped_tables()[WHEELS[0]].read_text(encoding="utf-8"),
        ("counts_per_turn: 1440", f"counts_per_turn: {counts}"),
        ("index_offset_counts: 7", f"index_offset_counts: {offset}"),
        (TOLERANCE, f"tolerance_deg: {tolerance}"),
    )
    return load_text(text.encode(), "table.yaml")


# -- what the regulation says of the wheel and its layout ----------------------------------------------------------


@pytest.mark.clause("689a.1(a)", "689a.1(b)", "619a.1(a)", "619a.1(b)")
def test_the_sections_stand_in_the_order_of_the_clause(game: Game, table: str) -> None:
    for first in (0, 3, len(game.wheel) - 2):
        order = list(game.wheel)
        order[first : first + 2] = reversed(order[first : first + 2])
        if order[first] == order[first + 1]:
            continue
        text, [here] = changed(table, ("\nwheel:\n", f"\nwheel:\n  order: [{', '.join(marked(order, first))}]\n"))
        (problem,) = problems(text)
        assert (problem.line, problem.column) == here
        assert f"section {first + 1} is '{game.wheel[first]}' by {game.wheel_clause}" in problem.message
    own, _ = changed(table, ("\nwheel:\n", f"\nwheel:\n  order: [{', '.join(game.wheel)}]\n"))
    assert problems(own) == []


def marked(words: list[str], place: int) -> list[str]:
    return [f"▸{word}" if number == place else word for number, word in enumerate(words)]


@pytest.mark.clause("689a.1(g)(2)", "619a.1(g)(2)")
def test_every_area_has_a_lamp(game: Game, table: str) -> None:
    for area in game.areas:
        text, removed = re.subn(rf"^ {{6}}{area}: \d+\n", "", table, flags=re.MULTILINE)
        assert removed == 1
        (problem,) = problems(text)
        assert problem.message == f"the area '{area}' has no lamp"


@pytest.mark.clause("689a.3(a)", "619a.3")
def test_no_wager_pays_less_than_the_clause(game: Game, table: str) -> None:
    """§ 689a.3(a), § 619a.3: by however little; the least and more are in order."""
    for wager in game.wagers:
        (least,) = wager.minimum
        below = f"{10 * least - 1} to 10"
        (problem,) = problems(f"{table}\nlayout:\n  odds:\n    {wager.area}: {below}\n")
        assert problem.remedy == f"use {to_one(least)} or more"
        for odds in (to_one(least), f"{10 * least + 1} to 10"):
            assert problems(f"{table}\nlayout:\n  odds:\n    {wager.area}: {odds}\n") == []


@pytest.mark.clause("689a.1(e)", "619a.1(e)")
def test_a_head_without_its_clapper_is_refused(table: str) -> None:
    text, removed = re.subn(r"^ +clapper: \d+.*\n", "", table, flags=re.MULTILINE)
    assert removed == 1
    assert [problem.key for problem in problems(text)] == ["devices.head.pins.clapper"]


# -- the index mark and the clapper --------------------------------------------------------------------------------


def test_index_offset_beyond_a_turn(table: str) -> None:
    text, [here] = changed(table, ("index_offset_counts: 7", "index_offset_counts: ▸1440"))
    (problem,) = problems(text)
    assert (problem.line, problem.column) == here
    assert problem.message.startswith("1440 is out of range: a turn has 1440 counts (also ")
    assert problem.remedy == "use 0 to 1439"


def test_index_mark_on_a_peg_is_reported_with_its_position(table: str) -> None:
    text, [here] = changed(table, ("index_offset_counts: 7", "index_offset_counts: ▸0"))
    (problem,) = problems(text)
    assert CROSSED in problem.message
    assert (problem.line, problem.column) == here


def pegs_and_mirror_image_apart(sections: int, counts: int, offset: int) -> int:
    """By listing all pegs: how near a peg comes to a mirrored one, in 1/sections counts."""
    turn = counts * sections
    true = {(peg * counts - offset * sections) % turn for peg in range(sections)}
    mirrored = {-place % turn for place in true}
    return min(min((a - b) % turn, (b - a) % turn) for a in true for b in mirrored)


@pytest.mark.parametrize("sections", [24, 37, 54])
@pytest.mark.parametrize("counts", [720, 1000, 1440, 2160])
@pytest.mark.parametrize("tolerance", ["0.1", "0.4", "0.75"])
def test_index_phase_agrees_with_the_pegs_themselves(sections: int, counts: int, tolerance: str) -> None:
    margin = int(float(tolerance) * 1000) * sections * counts / 360_000 + 2 * sections
    for offset in (*range(counts // sections + 2), counts // 2, counts - 1):
        wheel = config_with(counts, offset, tolerance).wheel
        assert wheel is not None
        found = list(index_phase(wheel, sections))
        assert bool(found) == (pegs_and_mirror_image_apart(sections, counts, offset) <= margin), offset
        if found:
            better = int(found[0].remedy.rpartition(" ")[2])
            assert pegs_and_mirror_image_apart(sections, counts, better) > margin
            nearer = [offset + step for step in range(-abs(better - offset) + 1, abs(better - offset))]
            if abs(better - offset) < counts // 2:
                apart = [pegs_and_mirror_image_apart(sections, counts, other % counts) for other in nearer]
                assert all(place <= margin for place in apart)


def test_clapper_and_tolerance_leave_a_place_in_each_section(table: str, game: Game) -> None:
    least = round((360 / len(game.wheel) - 3) / 2 + 0.005, 2)
    text, [(line, column), here] = changed(
        table, (TOLERANCE, f"tolerance_deg: ▸{least}"), ("# contact_deg: 2.4", "contact_deg: ▸3")
    )
    problem = next(one for one in problems(text) if one.key == "wheel.contact_deg")
    assert (problem.line, problem.column) == here
    assert problem.message == (
        f"contact_deg and twice tolerance_deg make {3 + 2 * least:.2f} degrees,"
        f" but a section has {360 / len(game.wheel):.2f} (also table.yaml:{line}:{column})"
    )
    allowed = text.replace(f"tolerance_deg: {least}", f"tolerance_deg: {least - 0.01:.2f}")
    assert "wheel.contact_deg" not in [one.key for one in problems(allowed)]


# -- calibrated ----------------------------------------------------------------------------------------------


def clapper(pegs: int) -> str:
    return (
        "clapper:\n    measured: 2026-11-22\n"
        "    closes_deg: {clockwise: 0.1, counterclockwise: -0.1}\n"
        "    slips_from_deg: {clockwise: 1.5, counterclockwise: 1.6}\n"
        "    slips_to_deg: {clockwise: 2.5, counterclockwise: 2.6}\n"
        "    closing_delay_ms: 0.5\n    opening_delay_ms: 0.7\n"
        f"    pegs_deg: ▸{['0.01'] * pegs}\n    left_over_deg: 0.1\n".replace("'", "")
    )


def test_a_calibrated_wheel_may_have_its_index_anywhere(table: str, game: Game) -> None:
    for offset in (0, 1, 13, 1439):
        text, _ = changed(
            table,
            ("index_offset_counts: 7", f"index_offset_counts: {offset}"),
            (TOLERANCE, "tolerance_deg: 2"),
            ("# contact_deg: 2.4", "contact_deg: 3"),
            ("# serial:", f"{clapper(len(game.wheel))}  # serial:"),
        )
        assert not problems(text)


def test_as_many_pegs_were_measured_as_the_wheel_has_sections(table: str, game: Game) -> None:
    text, [at, here] = changed(
        table,
        ("game: ", "game: ▸"),
        ("# serial:", f"{clapper(len(game.wheel) - 1)}  # serial:"),
    )
    (problem,) = problems(text)
    assert (problem.line, problem.column) == here
    assert problem.key == "wheel.clapper.pegs_deg"
    assert problem.message == (
        f"{len(game.wheel) - 1} pegs measured, but the wheel has {len(game.wheel)} sections"
        f" (also table.yaml:{at[0]}:{at[1]})"
    )
    assert "table-controller calibrate FILE" in problem.remedy


def test_a_real_wheel_that_is_not_calibrated_is_to_be(
    table: str, game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    real = table.replace("backend: mock", "backend: gpiod", 1)
    calibrated, _ = changed(real, ("# serial:", f"{clapper(len(game.wheel))}  # serial:"))
    file = tmp_path / "table.yaml"
    for text, advised in ((table, False), (real, True), (calibrated, False)):
        file.write_text(text, encoding="utf-8")
        assert main(["check", str(file)]) == exits.OK
        said = capsys.readouterr().out
        assert said.startswith(f"{file}: in order\n")
        assert ("the wheel is not calibrated" in said) == advised
        assert said.endswith("run: table-controller calibrate FILE\n") == advised


@pytest.mark.parametrize(("offset", "advised"), [(7, False), (0, True), (13, True), (20, False), (40, True)])
def test_where_crossed_wires_would_not_show_on_a_calibrated_wheel(
    table: str, game: Game, tmp_path: Path, capsys: pytest.CaptureFixture[str], offset: int, advised: bool
) -> None:
    text, _ = changed(
        table,
        ("index_offset_counts: 7", f"index_offset_counts: {offset}"),
        ("# serial:", f"{clapper(len(game.wheel))}  # serial:"),
    )
    file = tmp_path / "table.yaml"
    file.write_text(text, encoding="utf-8")
    assert main(["check", str(file)]) == exits.OK
    assert ("wires A and B crossed by later work could not be noticed" in capsys.readouterr().out) == advised
