"""``calibrate``: from a technician at the wheel or from a recording to the table's file, or to nothing written."""

import asyncio
import json
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
from contracts.loop import PATIENCE_S
from recorded_wheel import RecordedWheel

from config.problems import ConfigError
from config.schema import WheelSection
from controller import errors as exits
from controller.commands.cli import main
from controller.commissioning.calibration_dialogue import Calibration, CalibrationDialogue
from controller.configuration.shipped import load_table, shipped_tables
from controller.games.big_six.game import ORDER
from hal.errors import HalError
from hal.mock.settings import WheelSettings

SECTIONS = len(ORDER)
OFFSET = 80
"""The index lies on a peg, where a table that was not calibrated may not have it."""
Act = Callable[[], None]


def built(**options: object) -> WheelSettings:
    return WheelSettings.model_validate(
        {"sections": SECTIONS, "index_offset_counts": OFFSET, "seed": 3, "threshold_deg": 0.4, **options}
    )


@pytest.fixture
def file(tmp_path: Path) -> Path:
    copy = tmp_path / "table.yaml"
    copy.write_bytes(shipped_tables()["big-six"].read_bytes())
    return copy


def wheel_in(file: Path) -> WheelSection:
    wheel = load_table(file).config.wheel
    assert wheel is not None
    return wheel


# -- at the wheel --------------------------------------------------------------------------------------------------


class Technician:
    """Does at a simulated wheel what is asked.

    Attributes:
        instead: what is done at a question that holds the text, the first time; then it is as asked.
        answers: what is answered to a question that holds the text, one after the other, before the right answer.
    """

    def __init__(self, file: Path, slice_ns: int | None = None, **options: object) -> None:
        self.wheel = RecordedWheel(built(**options), slice_ns)
        self.file = file
        self.said: list[str] = []
        self.instead: dict[str, Act] = {}
        self.answers: dict[str, list[str]] = {}

    def run(self) -> int:
        async def dialogue() -> int:
            calibration = Calibration(self.file, wheel_in(self.file), ORDER, self.said.append)
            async with asyncio.timeout(PATIENCE_S):
                return await CalibrationDialogue(calibration, self.wheel.head, self.ask).run()

        return asyncio.run(dialogue())

    async def ask(self, question: str) -> str:
        self.said.append(question)
        for part, answers in self.answers.items():
            if part in question and answers:
                return answers.pop(0)
        for part, act in {
            "by hand clockwise": partial(self.wheel.turn, -2.2),
            "by hand counterclockwise": partial(self.wheel.turn, 2.2),
            "throw it clockwise": partial(self.wheel.throw, -4.5),
            "throw it counterclockwise": partial(self.wheel.throw, 4.5),
            "which one is at the clapper": partial(self.to_middle, 0),
            "some sections further": partial(self.to_middle, 20),
        }.items():
            if part in question:
                self.instead.pop(part, act)()
        return "#1" if "which one" in question else "y"

    def to_middle(self, section: int) -> None:
        self.wheel.lay_on(section)
        self.wheel.rest()

    def onto_a_peg(self) -> None:
        self.wheel.head.throw_onto(7, 2, 1)
        self.wheel.rest()

    def back_and_forth(self) -> None:
        self.wheel.turn(-1.4)
        self.wheel.turn(0.3)

    def stay(self) -> None:
        """Do nothing."""

    def heard(self, text: str) -> int:
        """How often it was said or asked."""
        return sum(text in said for said in self.said)


def test_the_wheel_is_turned_thrown_named_and_confirmed_and_then_written(file: Path) -> None:
    technician = Technician(file)
    assert technician.run() == exits.OK
    heard = iter(technician.said)
    for part in (
        *("by hand clockwise", "2.2 turns clockwise", "by hand counterclockwise"),
        *("throw it clockwise", "throw it counterclockwise", "at the clapper? (joker, logo, #1 to #54)"),
        *("measured ", "some sections further"),
        f"then #21 ({ORDER[20]}), between #20 ({ORDER[19]}) and #22 ({ORDER[21]}), is at the clapper: is it? [y/n]",
        *("write it? [y/n]", " written; start the table again"),
    ):
        assert any(part in said for said in heard), part
    assert wheel_in(file).clapper is not None
    assert abs(wheel_in(file).index_offset_counts - OFFSET) <= 1


@pytest.mark.parametrize(
    ("question", "instead", "words"),
    [
        ("by hand clockwise", "back_and_forth", "not 2 turns clockwise in one go were seen, but 1.4; once more"),
        ("which one is at the clapper", "onto_a_peg", "the wheel does not rest within a section: a peg bends"),
        ("some sections further", "onto_a_peg", "the wheel does not rest within a section: a peg bends"),
        ("some sections further", "stay", "that is the same section; turn it further"),
    ],
)
def test_what_does_not_serve_is_asked_for_again(file: Path, question: str, instead: str, words: str) -> None:
    technician = Technician(file, slice_ns=100_000_000)
    technician.instead[question] = getattr(technician, instead)
    assert technician.run() == exits.OK
    assert technician.heard(words) == 1


@pytest.mark.parametrize("reversed_in_file", [False, True])
@pytest.mark.parametrize("turned_as_asked", [False, True])
def test_a_wheel_that_counts_the_other_way_is_asked_about(
    file: Path, reversed_in_file: bool, turned_as_asked: bool
) -> None:
    """The encoder is the other way round, or the technician turned it so."""
    if reversed_in_file:
        file.write_text(file.read_text().replace("# reversed: false", "reversed: true"))
    technician = Technician(file, reversed=reversed_in_file != turned_as_asked)
    if not turned_as_asked:
        technician.instead["by hand clockwise"] = partial(technician.wheel.turn, 2.2)
        technician.answers["did you turn it clockwise"] = ["n"]
    assert technician.run() == exits.OK
    assert technician.heard("it counts counterclockwise: did you turn it clockwise, as the players see") == 1
    assert wheel_in(file).reversed == (reversed_in_file != turned_as_asked)
    assert abs(wheel_in(file).index_offset_counts - OFFSET) <= 1


@pytest.mark.parametrize(
    ("options", "question", "said"),
    [
        ({"missing_pegs": (30,)}, "begin again?", "a peg is missing, or does not reach the leather"),
        ({}, "is it?", "then another section was named, or wheel.reversed"),
        ({}, "write it?", ""),
    ],
)
def test_without_a_yes_nothing_is_written(file: Path, options: dict[str, object], question: str, said: str) -> None:
    before = file.read_text()
    technician = Technician(file, **options)
    technician.answers = {question: ["what?", "n"], "begin again?": ["n"]}
    assert technician.run() == exits.FAILED
    assert technician.heard(said)
    assert technician.said[-1] == "nothing was changed"
    assert file.read_text() == before


def test_lost_edges_are_reported_and_it_begins_again(file: Path) -> None:
    technician = Technician(file, slice_ns=200_000_000)
    technician.wheel.world.fault("overflow", amount=4)
    assert technician.run() == exits.OK
    assert technician.heard("edges of the encoder were lost, or came out of order") == 1


def test_a_head_that_is_gone_ends_it(file: Path) -> None:
    technician = Technician(file)
    technician.instead["by hand counterclockwise"] = technician.wheel.head.lose
    with pytest.raises(HalError, match="chip is gone; plug it in; nothing was changed"):
        technician.run()


def test_what_the_rules_do_not_accept_is_not_written(file: Path) -> None:
    technician = Technician(file)
    text = file.read_text().replace("game: big-six", "game: big-sixty")
    technician.instead["throw it clockwise"] = lambda: (technician.wheel.throw(-4.5), file.write_text(text))[0]
    with pytest.raises(ConfigError):
        technician.run()
    assert "the table cannot be used so: nothing was changed" in technician.said
    assert file.read_text() == text


# -- from a recording ----------------------------------------------------------------------------------------------


@pytest.fixture
def wheel() -> RecordedWheel:
    return RecordedWheel(built())


@pytest.fixture
def capture(wheel: RecordedWheel, tmp_path: Path) -> Path:
    return wheel.record().save(tmp_path / "wheel.vcd")


def words(file: Path, capture: Path, section: int) -> list[str]:
    return ["calibrate", str(file), "--capture", str(capture), "--section", f"#{section + 1}"]


def test_the_file_gets_the_figures_and_nothing_else_changes(
    file: Path, capture: Path, wheel: RecordedWheel, capsys: pytest.CaptureFixture[str]
) -> None:
    before, texts = file.read_text().splitlines(), []
    file.chmod(0o640)
    for section in (wheel.section, (wheel.section + 9) % SECTIONS, wheel.section):  # The old figures are replaced.
        assert main(words(file, capture, section)) == exits.OK
        texts.append(file.read_text())
    assert texts[0] == texts[2] != texts[1]
    after, found = texts[0].splitlines(), wheel_in(file).index_offset_counts
    new = [line for line in after if line not in before]
    assert new[0] == f"  index_offset_counts: {found}"
    assert new[1].startswith("  clapper: # measured by calibrate")
    assert all(line.startswith("    ") for line in new[2:])
    kept = [line for line in before if line and line != "  index_offset_counts: 7"]
    assert [line for line in after if line and line not in new] == kept
    assert file.stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in file.parent.iterdir()) == ["table.yaml", "wheel.vcd"]
    assert f"index_offset_counts: {found}, before 7\n" in capsys.readouterr().out
    assert main(["bench", str(file), "--capture", str(capture)]) == exits.OK
    lines = map(json.loads, capsys.readouterr().out.splitlines())
    rests = [line["event"] for line in lines if line["kind"] == "wheel-rested"]
    assert rests[-1]["section"] == wheel.section
    assert not any(line["fault"] for line in rests)


@pytest.mark.parametrize(
    ("section", "change", "code", "said"),
    [
        ("#5", "game: sic-bo", exits.FAILED, "a sic-bo table has no wheel with a clapper: nothing to calibrate"),
        (
            "#55",
            "",
            exits.USAGE,
            f", #1 to #{SECTIONS} in its order",
        ),
        ("5", "", exits.USAGE, "'5' does not say which section it is"),
        ("#5", "cut short", exits.FAILED, "the recording ends while the wheel turns at "),
        ("#5", "at rest", exits.FAILED, "the wheel does not turn in the recording"),
        ("#5", "read-only", exits.FAILED, " cannot be written: it is read-only; nothing was changed"),
        ("#5", "counts_per_turn: 2000", exits.FAILED, "the encoder gave 1440 counts in a turn, and "),
    ],
)
def test_what_cannot_be_done_changes_nothing(
    file: Path, capture: Path, section: str, change: str, code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if change.startswith("game"):
        file.write_bytes(shipped_tables()["sic-bo"].read_bytes())
    elif ":" in change:
        file.write_text(file.read_text().replace("counts_per_turn: 1440", change))
    elif change == "cut short":  # In the last throw, some seconds before the wheel stood.
        capture.write_text("\n#".join(capture.read_text().split("\n#")[:-800]))
    elif change == "at rest":
        capture.write_text("\n#".join(capture.read_text().split("\n#")[:3]) + "\n")
    file.chmod(0o444 if change == "read-only" else 0o644)
    before = file.read_bytes()
    with suppress(SystemExit):
        assert main(["calibrate", str(file), "--capture", str(capture), "--section", section]) == code
    assert file.read_bytes() == before
    err = capsys.readouterr().err
    assert "Traceback" not in err
    assert said in err
