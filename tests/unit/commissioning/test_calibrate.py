"""Calibrating a wheel: whatever offset the encoder has is found, and written without a comment lost."""

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from config.edit import NotFoundError, with_value
from controller.commands.calibrate import Calibration
from controller.commands.cli import main
from controller.commissioning.mounting import MountingError, MountingProbe, NearPegError
from controller.configuration.shipped import load_table, shipped_tables
from controller.games.big_six.game import ORDER
from controller.runtime import exit_codes as exits
from controller.tracking.clapper_wheel.geometry import WheelGeometry
from hal.mock.clock import NS_PER_S, VirtualClock
from hal.mock.edges import MockHead
from hal.mock.settings import WheelSettings
from hal.mock.world import World

SECTIONS = len(ORDER)


class Wheel:
    """A simulated wheel that is turned by hand."""

    def __init__(self, slice_ns: int | None = None, **mounted: object) -> None:
        self.clock = VirtualClock()
        self.world = World.of(self.clock)
        self.world.slice_ns = slice_ns
        self.head: MockHead = self.world.fit_wheel(WheelSettings.model_validate({"sections": SECTIONS, **mounted}))

    def turn(self, sections: float) -> None:
        """By hand, until it is at rest."""
        self.head.push(sections, max(0.5, abs(sections) / 12))
        self.clock.advance_to(self.head.at_rest_ns + NS_PER_S)
        self.head.poll()

    def to_middle(self, section: int) -> None:
        """Turn it on, to the middle of a section."""
        self.turn((section + 0.5 - self.head.x) % SECTIONS)
        assert self.head.true_stand() == (section, False)


def probed(wheel: Wheel, **geometry: object) -> MountingProbe:
    probe = MountingProbe(
        WheelGeometry(**{"index_offset_counts": 0, "sections": SECTIONS, **geometry}), wheel.head.levels()
    )  # type: ignore[arg-type]
    wheel.head.start(probe.feed)
    return probe


@settings(deadline=None, max_examples=60)
@given(
    counts=st.sampled_from([720, 1000, 1440, 4096]),
    place=st.floats(0, 1, exclude_max=True),
    way=st.sampled_from([1, -1]),
    mirrored=st.booleans(),
    section=st.integers(0, SECTIONS - 1),
    seed=st.integers(0, 1000),
)
def test_the_offset_is_found_to_the_count(
    counts: int, place: float, way: int, mirrored: bool, section: int, seed: int
) -> None:
    offset = int(place * counts)
    wheel = Wheel(counts_per_turn=counts, index_offset_counts=offset, reversed=mirrored, seed=seed)
    probe = probed(wheel, counts_per_turn=counts, reversed=mirrored)
    wheel.turn(way * SECTIONS * 2.3)
    assert probe.ready
    wheel.to_middle(section)
    found = probe.mounting(section)
    apart = (found.index_offset_counts - offset + counts // 2) % counts - counts // 2
    assert abs(apart) <= 1, (found, offset)
    for other in range(0, SECTIONS, 9):
        wheel.to_middle(other)
        assert probe.section(found.index_offset_counts) == other


def test_before_a_whole_turn_one_way_no_offset_is_reported() -> None:
    wheel = Wheel()
    probe = probed(wheel, counts_per_turn=1440)
    for sections in (20, -30, 40, -50, 30):
        wheel.turn(sections)
    assert not probe.ready
    with pytest.raises(MountingError, match="turn it once around"):
        probe.mounting(0)


def test_a_wrong_number_of_counts_is_reported() -> None:
    wheel = Wheel(counts_per_turn=1440)
    probe = probed(wheel, counts_per_turn=2880)
    wheel.turn(150)
    with pytest.raises(MountingError, match="1440 counts in a turn, and counts_per_turn says 2880"):
        probe.mounting(0)


def test_a_wheel_at_a_peg_is_refused() -> None:
    wheel = Wheel()
    probe = probed(wheel, counts_per_turn=1440)
    wheel.turn(150)
    wheel.world.throw_onto(7, 2, 1)
    wheel.clock.advance_to(wheel.head.at_rest_ns + NS_PER_S)
    wheel.head.poll()
    with pytest.raises(NearPegError, match="middle of the section"):
        probe.mounting(7)


def test_an_encoder_that_slips_is_reported() -> None:
    wheel = Wheel()
    probe = probed(wheel, counts_per_turn=1440)
    wheel.world.fault("slip", amount=0.05)
    wheel.turn(170)
    with pytest.raises(MountingError):
        probe.mounting(0)


def test_a_clapper_that_is_dead_for_a_part_of_every_turn_is_reported() -> None:
    wheel = Wheel()
    probe = probed(wheel, counts_per_turn=1440)
    for _ in range(4):
        wheel.turn(27)
        wheel.world.fault("dead-clapper")
        wheel.turn(27)
        wheel.world.ease()
    wheel.turn(30)
    assert probe.ready
    wheel.to_middle(10)
    with pytest.raises(MountingError, match=r"struck by \d\d of 54 pegs"):
        probe.mounting(10)


def test_strikes_off_the_pegs_are_reported() -> None:
    wheel = Wheel()
    probe = probed(wheel, counts_per_turn=1440)
    wheel.world.fault("noise", "clapper", 3)
    wheel.turn(150)
    wheel.world.ease()
    wheel.to_middle(10)
    with pytest.raises(MountingError, match="degrees off"):
        probe.mounting(10)


def test_touching_the_clapper_after_the_turn_has_no_effect() -> None:
    wheel = Wheel(index_offset_counts=60)
    probe = probed(wheel, counts_per_turn=1440)
    wheel.turn(150)
    wheel.to_middle(10)
    wheel.world.fault("stuck-high", "clapper")
    wheel.world.ease()
    assert abs(probe.mounting(10).index_offset_counts - 60) <= 1


@pytest.mark.parametrize("edges", range(1, 13))
def test_lost_edges_restart_the_turn(edges: int) -> None:
    wheel = Wheel(slice_ns=200_000_000, index_offset_counts=60)
    probe = probed(wheel, counts_per_turn=1440)
    wheel.turn(40)
    wheel.world.fault("overflow", amount=edges)
    wheel.turn(150)
    assert probe.ready
    wheel.to_middle(10)
    assert abs(probe.mounting(10).index_offset_counts - 60) <= 1


# -- the command ---------------------------------------------------------------------------------------------


@pytest.fixture
def file(tmp_path: Path) -> Path:
    copy = tmp_path / "table.yaml"
    copy.write_bytes(shipped_tables()["big-six"].read_bytes())
    return copy


def calibrate(file: Path, wheel: Wheel, answers: list[str | Callable[[], str]]) -> tuple[int, list[str]]:
    """Run the dialogue: each answer is a text, or what is done with the wheel first."""
    printed: list[str] = []

    def say(text: str) -> None:
        printed.append(text)
        if text.startswith("turn the wheel"):
            wheel.turn(SECTIONS * 2.2)

    async def ask(question: str) -> str:
        printed.append(question)
        answer = answers.pop(0)
        return answer if isinstance(answer, str) else answer()

    async def run() -> int:
        return await Calibration(load_table(file), wheel.head, ask, say).run()

    code = asyncio.run(run())
    assert not answers
    return code, printed


def at(wheel: Wheel, section: int, answer: str) -> Callable[[], str]:
    def turn() -> str:
        wheel.to_middle(section)
        return answer

    return turn


def test_the_offset_is_shown_and_written_and_nothing_else_changes(file: Path) -> None:
    before = file.read_text()
    file.chmod(0o640)
    wheel = Wheel(index_offset_counts=60)
    joker = ORDER.index("joker")
    code, printed = calibrate(file, wheel, [at(wheel, joker, "joker"), at(wheel, 20, ""), "y", "y"])
    assert code == exits.OK
    assert f"then {ORDER[20]} is at the clapper, between {ORDER[19]} and {ORDER[21]}: is it? [y/n]" in printed
    shown = next(text for text in printed if "->" in text)
    new = int(shown.rpartition(" ")[2])
    assert abs(new - 60) <= 1
    assert shown == f"{file}:74: index_offset_counts: 7 -> {new}"
    assert file.read_text() == before.replace("index_offset_counts: 7\n", f"index_offset_counts: {new}\n", 1)
    assert [path.name for path in file.parent.iterdir()] == ["table.yaml"]
    assert file.stat().st_mode & 0o777 == 0o640


@pytest.mark.parametrize("answers", [["n"], ["y", "n"]])
def test_without_a_yes_nothing_is_written(file: Path, answers: list[str]) -> None:
    before = file.read_text()
    wheel = Wheel(index_offset_counts=60)
    code, printed = calibrate(file, wheel, [at(wheel, 5, "#6"), at(wheel, 20, ""), *answers])
    assert code == exits.FAILED
    assert "nothing was changed" in printed[-1]
    assert file.read_text() == before


def test_a_section_that_is_there_twice_is_asked_for_again(file: Path) -> None:
    wheel = Wheel(index_offset_counts=60)
    logo = ORDER.index("logo")
    answers = ["1", "#55", "dragon", at(wheel, logo, "logo"), at(wheel, 3, ""), "y", "n"]
    _, printed = calibrate(file, wheel, answers)  # type: ignore[arg-type]
    assert sum("does not say which section" in text for text in printed) == 3


def test_an_offset_that_the_table_must_not_have_is_not_written(
    file: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """The index on a peg: crossed wires could not be noticed (`check` says so too)."""
    before = file.read_text()
    wheel = Wheel(index_offset_counts=80, peg_error_deg=0.0)
    with pytest.raises(Exception, match="on a peg or midway"):
        calibrate(file, wheel, [at(wheel, 5, "#6"), at(wheel, 20, ""), "y"])
    assert file.read_text() == before


def test_a_table_without_a_wheel_has_nothing_to_calibrate(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["calibrate", str(shipped_tables()["sic-bo"])]) == exits.FAILED
    assert "a sic-bo table has no wheel with a clapper: nothing to calibrate" in capsys.readouterr().err


# -- the file ------------------------------------------------------------------------------------------------


def test_only_the_value_changes() -> None:
    text = "a:  # one\n  b: 7 # two, b: 7\n  c: {b: 7, d: 8}\n"
    assert with_value(text, "f", ("a", "b"), "31") == "a:  # one\n  b: 31 # two, b: 7\n  c: {b: 7, d: 8}\n"
    assert with_value(text, "f", ("a", "c", "b"), "31") == "a:  # one\n  b: 7 # two, b: 7\n  c: {b: 31, d: 8}\n"


def test_a_key_that_is_not_there_is_named() -> None:
    with pytest.raises(NotFoundError, match=r"there is no wheel\.x; add it"):
        with_value("wheel: {y: 1}\n", "f", ("wheel", "x"), "2")
