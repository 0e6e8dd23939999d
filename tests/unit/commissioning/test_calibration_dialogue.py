"""The dialogue with a technician: what is asked, what is said meanwhile, and when nothing is written."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from contracts.loop import PATIENCE_S
from recorded_wheel import RecordedWheel

from config.problems import ConfigError
from controller import errors as exits
from controller.commissioning.calibration_dialogue import CalibrationDialogue
from controller.configuration.shipped import load_table, shipped_tables
from controller.games.big_six.game import ORDER
from hal.errors import HalError
from hal.mock.settings import WheelSettings

SECTIONS = len(ORDER)
JOKER = ORDER.index("joker")
OFFSET = 80
"""The index lies on a peg."""
Act = Callable[[], None]


class Technician:
    """Does at a simulated wheel what is asked.

    Attributes:
        instead: what is done at a question or a demand that holds the text, the first time; then it is as asked.
        answers: what is answered to a question that holds the text, one after the other, before the right answer.
    """

    def __init__(self, file: Path, slice_ns: int | None = None, **built: object) -> None:
        settings = {"sections": SECTIONS, "index_offset_counts": OFFSET, "seed": 3, **built}
        self.wheel = RecordedWheel(WheelSettings.model_validate(settings), slice_ns)
        self.file = file
        self.said: list[str] = []
        self.instead: dict[str, Act] = {}
        self.answers: dict[str, list[str]] = {}
        self.names_at = JOKER
        self.confirms_at = 20

    def run(self) -> int:
        wheel = load_table(self.file).config.wheel
        assert wheel is not None

        async def dialogue() -> int:
            order = wheel.order or ORDER
            async with asyncio.timeout(PATIENCE_S):
                return await CalibrationDialogue(self.file, wheel, order, self.wheel.head, self.ask, self.say).run()

        return asyncio.run(dialogue())

    def say(self, text: str) -> None:
        self.said.append(text)

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
            "which one is at the clapper": partial(self.to_middle, self.names_at),
            "begin again?": lambda: None,
            "some sections further": partial(self.to_middle, self.confirms_at),
        }.items():
            if part in question:
                self.instead.pop(part, act)()
        return f"#{self.names_at + 1}" if "which one" in question else "y"

    def to_middle(self, section: int) -> None:
        self.wheel.lay_on(section)
        self.wheel.rest()

    def onto_a_peg(self) -> None:
        self.wheel.head.throw_onto(7, 2, 1)
        self.wheel.rest()

    def stay(self) -> None:
        """Do nothing."""

    def heard(self, text: str) -> int:
        """How often it was said or asked."""
        return sum(text in said for said in self.said)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    copy = tmp_path / "table.yaml"
    copy.write_bytes(shipped_tables()["big-six"].read_bytes())
    return copy


def test_the_wheel_is_turned_thrown_named_and_confirmed_and_then_written(file: Path) -> None:
    technician = Technician(file, threshold_deg=0.4)
    assert technician.run() == exits.OK
    said = technician.said
    questions = [
        "turn the wheel by hand clockwise, slowly, twice around and a little more, then press Enter:",
        "2.2 turns clockwise",
        "turn the wheel by hand counterclockwise, slowly, twice around and a little more, then press Enter:",
        "2.2 turns counterclockwise",
        "throw it clockwise, as in play; when it stands, press Enter:",
        " turns clockwise",
        "throw it counterclockwise, as in play; when it stands, press Enter:",
        " turns counterclockwise",
        "turn it to the middle of a section; which one is at the clapper? (joker, logo, #1 to #54)",
        "measured ",
        "now turn it some sections further, to the middle of another one, and press Enter",
        f"then #21 ({ORDER[20]}), between #20 ({ORDER[19]}) and #22 ({ORDER[21]}), is at the clapper: is it? [y/n]",
        "index_offset_counts: 7 -> ",
        "clapper: measured ",
        "write it? [y/n]",
        "written; start the table again",
    ]
    heard = iter(said)
    for text in questions:
        assert any(text in one for one in heard), text
    wheel = load_table(file).config.wheel
    assert wheel is not None
    assert wheel.clapper is not None
    assert abs(wheel.index_offset_counts - OFFSET) <= 1


@pytest.mark.parametrize("slice_ns", [None, 100_000_000])
def test_a_wheel_that_is_turned_back_is_to_go_on_one_way(file: Path, slice_ns: int | None) -> None:
    technician = Technician(file, slice_ns=slice_ns)

    def back_and_forth() -> None:
        technician.wheel.turn(-1.4)
        technician.wheel.turn(0.3)

    technician.instead["by hand clockwise"] = back_and_forth
    assert technician.run() == exits.OK
    assert technician.heard("not 2 turns clockwise in one go were seen, but 1.4; once more") == 1


@pytest.mark.parametrize("reversed_in_file", [False, True])
def test_an_encoder_that_counts_backwards_is_noticed_and_written(file: Path, reversed_in_file: bool) -> None:
    if reversed_in_file:
        file.write_text(file.read_text().replace("# reversed: false", "reversed: true"))
    technician = Technician(file, reversed=not reversed_in_file)
    assert technician.run() == exits.OK
    value = "false" if reversed_in_file else "true"
    assert (
        technician.heard("it counts counterclockwise: did you turn it clockwise, as the players see the wheel?")
        == 1
    )
    assert technician.heard(f"then wheel.reversed must be {value}: go on so, and write it with the rest?") == 1
    assert technician.heard(f"reversed: {value}") == 1
    wheel = load_table(file).config.wheel
    assert wheel is not None
    assert wheel.reversed == (not reversed_in_file)
    assert abs(wheel.index_offset_counts - OFFSET) <= 1


def test_a_technician_who_turned_it_the_wrong_way(file: Path) -> None:
    technician = Technician(file)
    technician.instead["by hand clockwise"] = partial(technician.wheel.turn, 2.2)
    technician.answers["did you turn it clockwise"] = ["n"]
    assert technician.run() == exits.OK
    wheel = load_table(file).config.wheel
    assert wheel is not None
    assert not wheel.reversed


@pytest.mark.parametrize(
    ("question", "instead", "words"),
    [
        ("which one is at the clapper", "onto_a_peg", "the wheel does not rest within a section: a peg bends"),
        ("some sections further", "onto_a_peg", "the wheel does not rest within a section: a peg bends"),
        ("some sections further", "stay", "that is the same section; turn it further"),
    ],
)
def test_what_does_not_serve_is_asked_for_again(file: Path, question: str, instead: str, words: str) -> None:
    technician = Technician(file)
    technician.instead[question] = getattr(technician, instead)
    assert technician.run() == exits.OK
    assert technician.heard(words) == 1


@pytest.mark.parametrize(
    ("built", "question", "answers", "said"),
    [
        ({"reversed": True}, "go on so", ["n"], "change wheel.reversed to true, or the wires of A and B: nothing"),
        ({"missing_pegs": (30,)}, "begin again?", ["n"], "nothing was changed"),
        ({}, "is it?", ["what?", "n"], "then another section was named, or wheel.reversed"),
        ({}, "write it?", ["what?", "n"], "nothing was changed"),
    ],
)
def test_without_a_yes_nothing_is_written(
    file: Path, built: dict[str, object], question: str, answers: list[str], said: str
) -> None:
    before = file.read_text()
    technician = Technician(file, **built)
    technician.answers[question] = answers
    assert technician.run() == exits.FAILED
    assert technician.said[-1].startswith(said)
    assert technician.said[-1].endswith("nothing was changed")
    assert file.read_text() == before


@pytest.mark.parametrize("edges", [1, 4, 12])
def test_lost_edges_are_reported_and_it_begins_again(file: Path, edges: int) -> None:
    technician = Technician(file, slice_ns=200_000_000)
    technician.wheel.world.fault("overflow", amount=edges)
    assert technician.run() == exits.OK
    assert technician.heard("edges of the encoder were lost, or came out of order") == 1
    wheel = load_table(file).config.wheel
    assert wheel is not None
    assert abs(wheel.index_offset_counts - OFFSET) <= 1


def test_a_head_that_is_gone_ends_it(file: Path) -> None:
    technician = Technician(file)
    technician.instead["by hand counterclockwise"] = technician.wheel.head.lose
    with pytest.raises(HalError, match="chip is gone; plug it in; nothing was changed"):
        technician.run()


def test_what_the_rules_do_not_accept_is_not_written(file: Path) -> None:
    technician = Technician(file)

    def edits() -> None:
        file.write_text(file.read_text().replace("game: big-six", "game: big-sixty"))

    technician.instead["throw it clockwise"] = edits
    technician.answers["throw it clockwise"] = []
    with pytest.raises(ConfigError):
        technician.run()
    assert "the table cannot be used so: nothing was changed" in technician.said
    assert "clapper: #" not in file.read_text()
