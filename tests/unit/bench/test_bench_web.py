"""The bench's part of a page: its picture, and what may be asked of it. On virtual time; no server, no browser."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from config.schema import TableConfig
from controller.bench.fault_menu import BREAKAGES
from controller.bench.live import LiveBench
from controller.bench.web.page import WebBench
from controller.configuration.shipped import shipped_tables
from controller.journal.record import of_entry
from controller.journal.text import record_line
from hal.mock.clock import VirtualClock

GAMES = sorted(shipped_tables())
Shipped = Callable[[str], TableConfig]


class Page:
    """A page of a bench on virtual time: acts go in, pictures come out, as JSON both ways."""

    def __init__(self, config: TableConfig, journal: Path | None = None) -> None:
        self.clock = VirtualClock()
        self.bench = LiveBench(config, journal, seed=1, clock=self.clock)
        self.web = WebBench(self.bench)

    def wait(self, seconds: float) -> None:
        self.clock.advance_to(self.clock.now_ns() + int(seconds * 1e9))

    def act(self, wait_s: float = 0.3, /, **body: object) -> None:
        self.web.act(json.loads(json.dumps(body)))
        self.wait(wait_s)

    def keys(self, *keys: str) -> None:
        for key in keys:
            self.act(key=key)

    def refusal(self, body: object) -> str:
        """Why an act is refused; nothing was done then."""
        before = self.sees
        with pytest.raises(ValueError, match=r"^.{10,600}$") as refused:
            self.web.act(body)
        assert self.sees == before
        return str(refused.value)

    @property
    def picture(self) -> dict:
        return json.loads(json.dumps(self.web.picture(), allow_nan=False, ensure_ascii=False).encode())

    @property
    def sees(self) -> tuple[object, ...]:
        """All that an act could change, at this moment."""
        return (self.picture, len(self.bench.journal), self.bench.random.getstate(), self.state)

    @property
    def state(self) -> str:
        return str(self.bench.table.machine.state.value)

    def log(self) -> list[str]:
        return [line["text"] for line in self.picture["log"]]


@pytest.fixture
def page(shipped: Shipped) -> Iterator[Callable[..., Page]]:
    pages: list[Page] = []

    def make(game: str, journal: Path | None = None) -> Page:
        pages.append(Page(shipped(game), journal))
        return pages[-1]

    yield make
    for made in pages:
        made.bench.close()


def ahead(now: float, before: float) -> float:
    """Turns from one angle to another, the shorter way."""
    return (now - before + 0.5) % 1 - 0.5


# -- rounds ----------------------------------------------------------------------------------------------------


def test_a_whole_round_by_acts(page: Callable[[str], Page]) -> None:
    bench = page("dreamcatcher")
    bench.act(10, key="h")
    bench.act(press="no-more-bets")
    bench.act(30, throw=4.2)
    assert bench.state == "result"
    (result,) = bench.bench.watch.results
    assert bench.picture["burning"] == [result.label]
    for control in ("done", "done", "clear"):
        bench.act(press=control)
    assert bench.state == "bets-open"
    assert bench.picture["burning"] == []
    said = ("> no more bets", "> throw for 4.2 turns, counterclockwise", "> done")
    assert [line for line in bench.log() if line in said] == [*said[:2], "> done", "> done"]


def test_a_whole_roulette_round_by_acts(page: Callable[[str], Page]) -> None:
    bench = page("roulette")
    bench.keys("k", "1", *"4711", "Enter", "k", "k", "R", "t")
    bench.wait(20)
    bench.keys("k", "k")
    assert bench.state == "bets-open"
    bench.act(3, ball=9.5)
    assert bench.state == "ball-running"
    bench.act(18, press="no-more-bets")
    assert bench.state == "entry"
    pocket = bench.picture["rotor"]["pocket"]
    bench.keys(*pocket, "Enter")
    bench.wait(5)
    assert bench.state == "result"
    assert f"straight-{pocket}" in bench.picture["burning"]


@pytest.mark.parametrize(("turns", "way", "sign"), [(4.0, "counterclockwise", 1), (-4.0, "clockwise", -1)])
def test_a_negative_throw_turns_the_wheel_the_other_way(
    page: Callable[[str], Page], turns: float, way: str, sign: int
) -> None:
    bench = page("big-six")
    bench.act(1, throw=turns)
    before = bench.picture["true"]["angle"]
    bench.wait(0.1)
    assert sign * ahead(bench.picture["true"]["angle"], before) > 0
    assert f"> throw for 4 turns, {way}" in bench.log()
    bench.wait(40)
    rested = bench.bench.watch.rested
    assert rested is not None
    assert rested.travel_counts / rested.counts_per_turn == pytest.approx(4, abs=0.2)


@pytest.mark.parametrize(("turns", "against"), [(9.5, True), (-9.5, False)])
def test_a_ball_thrown_by_a_negative_number_runs_with_the_rotor(
    page: Callable[[str], Page], turns: float, against: bool
) -> None:
    bench = page("roulette")
    bench.act(4, key="R")
    bench.act(3, ball=turns)
    before = bench.picture["rotor"]
    bench.wait(0.05)
    after = bench.picture["rotor"]
    rotor, ball = (ahead(after[name], before[name]) for name in ("angle", "ball"))
    assert rotor < 0
    assert (ball > 0) is against
    bench.wait(20)
    assert bench.picture["rotor"]["ball"] is None
    assert bench.picture["rotor"]["pocket"] == bench.bench.world.rotor.ball.pocket != ""


# -- the picture -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_what_truly_stands_is_shown_at_tables_that_have_it(page: Callable[[str], Page], game: str) -> None:
    picture = page(game).picture
    wheel = game in ("dreamcatcher", "big-six")
    assert (picture["true"] is not None) == wheel
    assert (picture["rotor"] is not None) == (game == "roulette")
    assert bool(picture["lines"]) == (wheel or game == "roulette")


def test_the_true_angle_is_that_of_the_section_at_the_clapper(page: Callable[[str], Page]) -> None:
    bench = page("dreamcatcher")
    for turns in (0.3, -1.7, 2.2, -0.9):
        bench.act(40, throw=turns)
        true = bench.picture["true"]
        assert (int(true["angle"] * 54), true["on_peg"]) == bench.bench.world.wheel.true_stand()
    bench.keys("b")
    bench.wait(40)
    assert bench.picture["true"]["on_peg"] is True


def test_the_angle_names_the_pocket_at_the_first_beam(page: Callable[[str], Page]) -> None:
    """As the terminal draws it: the pocket in the middle of the strip."""
    bench = page("roulette")
    rotor = bench.bench.world.rotor
    for key in "rR":
        bench.act(5, key=key)
        angle = bench.picture["rotor"]["angle"]
        assert 0 <= angle < 1
        assert ahead(angle, rotor.rotor_angle) == pytest.approx(0, abs=1e-4)


def test_the_rates_are_those_of_the_last_half_second(page: Callable[[str], Page]) -> None:
    bench = page("dreamcatcher")
    assert {line["rate"] for line in bench.picture["lines"]} == {0}
    bench.act(1, throw=5)
    seen: list[tuple[str, int]] = []
    bench.bench.table.edge_listeners.append(
        lambda batch: seen.extend(zip(map(chr, batch.edges), batch.timestamps_ns, strict=True))
    )
    bench.wait(2.007)  # The half second begins within a batch.
    lines = {line["line"]: line["rate"] for line in bench.picture["lines"]}
    since = bench.clock.now_ns() - 500_000_000
    for name, letter in {"encoder_a": "A", "encoder_b": "B", "index": "Z", "clapper": "C"}.items():
        assert lines[name] == 2 * sum(at > since for edge, at in seen if edge.upper() == letter)
    before = bench.picture["true"]["angle"]
    bench.wait(0.1)
    speed = abs(ahead(bench.picture["true"]["angle"], before)) * 10
    assert lines["encoder_a"] == pytest.approx(speed * 1440 / 2, rel=0.15), "two edges in four counts"
    bench.wait(40)
    assert {line["rate"] for line in bench.picture["lines"]} == {0}


def test_a_stuck_line_shows_its_level_and_no_edges(page: Callable[[str], Page]) -> None:
    bench = page("dreamcatcher")
    bench.act(fault="stuck-high", target="encoder_b")
    bench.act(2, throw=5)
    lines = {line["line"]: line for line in bench.picture["lines"]}
    assert lines["encoder_b"] == {"line": "encoder_b", "level": True, "rate": 0}
    assert lines["encoder_a"]["rate"] > 100


@pytest.mark.parametrize("in_file", [False, True])
def test_edges_and_entries_go_on_after_a_power_cut(
    page: Callable[..., Page], tmp_path: Path, in_file: bool
) -> None:
    bench = page("dreamcatcher", tmp_path / "journal" if in_file else None)
    bench.act(10, key="h")
    bench.act(throw=5)
    bench.act(1, cut=True)
    assert bench.picture["powered"] is bench.web.powered is False
    assert {line["rate"] for line in bench.picture["lines"]} == {0}, "nobody listens"
    before = bench.picture["true"]["angle"]
    bench.wait(0.1)
    assert bench.picture["true"]["angle"] != before, "the wheel turns on"
    bench.wait(4)
    picture = bench.picture
    assert picture["powered"] is bench.web.powered is True
    assert {line["line"]: line["rate"] > 50 for line in picture["lines"]}["encoder_a"]
    assert "power-restored" in [entry["kind"] for entry in picture["entries"]]
    seqs = [entry["seq"] for entry in picture["entries"]]
    assert seqs == list(range(1, len(bench.bench.journal) + 1))


def test_the_entries_are_the_last_ones_of_the_journal_in_words(page: Callable[[str], Page]) -> None:
    bench = page("sic-bo")
    assert bench.picture["entries"][0]["words"].startswith("the table starts on an empty journal")
    for _ in range(40):
        bench.act(press="clear")
    shown = bench.picture["entries"]
    kept = list(bench.bench.journal.entries())[-30:]
    assert [(e["seq"], e["round"], e["kind"]) for e in shown] == [(e.seq, e.round, e.kind) for e in kept]
    assert [e["words"] for e in shown] == [record_line(of_entry(entry)) for entry in kept]


def test_a_page_that_opens_late_shows_what_went_before(page: Callable[[str], Page]) -> None:
    bench = page("sic-bo")
    for _ in range(40):
        bench.act(press="clear")
    assert WebBench(bench.bench).picture()["entries"] == bench.picture["entries"]


def test_the_log_ends_with_its_newest_line(page: Callable[[str], Page]) -> None:
    bench = page("sic-bo")
    for _ in range(70):
        bench.act(press="clear")
    log = bench.picture["log"]
    assert len(log) == 60
    assert log == sorted(log, key=lambda line: line["s"])
    assert {"s", "text", "tone"} == set(log[-1])
    assert log[-2]["text"] == "> clear"
    assert bench.picture["seconds"] == pytest.approx(21)


# -- keys ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_hint_is_a_key_that_does_something(shipped: Shipped, game: str) -> None:
    hints = Page(shipped(game)).picture["hints"]
    keys = [key for hint in hints for key in (hint["key"], hint["key"].upper() * hint["shift"]) if key]
    assert len(set(keys)) == len(keys)
    for key in keys:
        bench = Page(shipped(game))
        before = len(bench.log())
        bench.act(key=key)
        assert len(bench.log()) > before or bench.picture["menu"], key
        assert bench.picture["notice"] == ""


@pytest.mark.parametrize("game", GAMES)
def test_hints_name_the_control_that_they_press(page: Callable[[str], Page], game: str) -> None:
    bench = page(game)
    named = {hint["control"] for hint in bench.picture["hints"]} - {""}
    assert named <= set(bench.bench.controls)
    assert {"no-more-bets", "done", "clear"} <= named
    for hint in bench.picture["hints"]:
        if hint["control"]:
            bench.act(key=hint["key"])
            said = [line for line in bench.log() if line.startswith("> ")][-1]
            assert said.endswith(hint["short"])


def test_a_menu_is_opened_paged_and_left(page: Callable[[str], Page]) -> None:
    bench = page("roulette")
    bench.keys("s")
    menu = bench.picture["menu"]
    assert menu["title"] == "throw the ball into which pocket?"
    assert menu["more"] is True
    first = [choice["short"] for choice in menu["choices"]]
    bench.keys(" ")
    assert [choice["short"] for choice in bench.picture["menu"]["choices"]] != first
    bench.keys("Escape")
    assert bench.picture["menu"] is None


def test_a_key_without_a_meaning_is_answered(page: Callable[[str], Page]) -> None:
    bench = page("dreamcatcher")
    bench.keys("z")
    assert bench.picture["notice"].startswith("z does nothing here")
    bench.keys("g")
    assert bench.picture["notice"] == ""


@pytest.mark.parametrize("key", ["q", "?", "\x03"])
@pytest.mark.parametrize("menu_open", [False, True])
def test_no_page_ends_the_bench(page: Callable[[str], Page], key: str, menu_open: bool) -> None:
    bench = page("dreamcatcher")
    bench.keys(*"f" * menu_open)
    assert "the bench ends where it was started" in bench.refusal({"key": key})


# -- faults --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_every_fault_that_is_offered_breaks_and_is_mended(page: Callable[[str], Page], game: str) -> None:
    bench = page(game)
    offered = json.loads(json.dumps(bench.web.breakages()))
    assert {"dead-lamp", "burning-lamp", "stuck-key", "keys-unplugged"} <= {item["fault"] for item in offered}
    for item in offered:
        target = {"target": item["targets"][-1]} if item["targets"] else {}
        for amount in ({}, {"amount": item["amount"]}):
            bench.act(fault=item["fault"], **target, **amount)
            assert len(bench.picture["faults"]) == 1
            bench.act(mend=True)
            assert bench.picture["faults"] == []
    assert "not possible" not in " ".join(line.text for line in bench.bench.watch.log)


def test_tables_together_offer_every_fault(page: Callable[[str], Page]) -> None:
    offered = {item["fault"] for game in GAMES for item in page(game).web.breakages()}
    assert offered == {item.fault for item in BREAKAGES}


def test_a_burning_lamp_is_shown_though_nobody_asked_for_it(page: Callable[[str], Page]) -> None:
    bench = page("dreamcatcher")
    bench.act(fault="burning-lamp", target="40")
    assert bench.picture["burning"] == ["40"]


# -- acts that are none --------------------------------------------------------------------------------------------

HUGE = 10**4000
BAD: list[tuple[str, object, str]] = [
    ("dreamcatcher", None, "not nothing"),
    ("dreamcatcher", [], "not a list"),
    ("dreamcatcher", "press", "not a text"),
    ("dreamcatcher", 1, "not a number"),
    ("dreamcatcher", {}, "exactly one of the keys key, press, throw, ball, fault, mend, cut"),
    ("dreamcatcher", {"target": "40"}, "exactly one"),
    ("dreamcatcher", {"press": "done", "key": "t"}, "exactly one"),
    ("dreamcatcher", {"press": "done", "Press": "done"}, "unknown key 'Press'; with 'press' go only: press"),
    ("dreamcatcher", {"press": "done", "amount": 0}, "unknown key 'amount'"),
    ("dreamcatcher", {"fault": "dead-lamp", "target": "40", "many": 2}, "unknown key 'many'"),
    ("dreamcatcher", {"press": "\ud800" * 99}, r"'\ud800\ud800"),
    ("dreamcatcher", {"press": "enter"}, "'enter' is no control of this table; it has: no-more-bets"),
    ("dreamcatcher", {"press": ["done"]}, "a list is no control"),
    ("dreamcatcher", {"press": {}}, "an object is no control"),
    ("dreamcatcher", {"key": ""}, "one character or one of Enter, Escape, Backspace"),
    ("dreamcatcher", {"key": "tt"}, "one character"),
    ("dreamcatcher", {"key": 1}, "one character"),
    *(
        ("dreamcatcher", {"throw": turns}, "a number of turns from 0.2 to 12; negative")
        for turns in (0, 0.19, -0.19, 12.01, -13, HUGE, -HUGE, 1e400, -1e400, float("nan"), "4", True, None, [4])
    ),
    *(
        ("roulette", {"ball": turns}, "a number of turns from 0.5 to 15; negative")
        for turns in (0, 0.4, 15.1, -16, HUGE, 1e400, float("nan"), "9", True, None, {})
    ),
    ("roulette", {"throw": 4}, "no wheel with a clapper"),
    ("sic-bo", {"throw": 4}, "no wheel with a clapper"),
    ("sic-bo", {"ball": 9}, "no ball"),
    ("dreamcatcher", {"ball": 9}, "no ball"),
    ("dreamcatcher", {"fault": "fire"}, "'fire' is no fault of this table; it has: stuck-high"),
    ("sic-bo", {"fault": "slip"}, "'slip' is no fault of this table"),
    ("dreamcatcher", {"fault": "dead-lamp"}, "'' is no lamp of this table; it has: 1, 2"),
    ("dreamcatcher", {"fault": "dead-lamp", "target": "3"}, "'3' is no lamp"),
    ("dreamcatcher", {"fault": "dead-lamp", "target": 40}, "a number is no lamp"),
    ("dreamcatcher", {"fault": "stuck-key", "target": "enter"}, "'enter' is no key"),
    ("dreamcatcher", {"fault": "noise", "target": "ball_1"}, "'ball_1' is no line"),
    ("dreamcatcher", {"fault": "swapped", "target": "index"}, "'swapped' has no target"),
    ("dreamcatcher", {"fault": "swapped", "target": None}, "'swapped' has no target"),
    ("dreamcatcher", {"fault": "swapped", "amount": 1}, "'swapped' has no amount"),
    ("dreamcatcher", {"fault": "slip", "amount": 0}, "a number above 0, at most 1"),
    ("dreamcatcher", {"fault": "slip", "amount": 1.1}, "a number above 0, at most 1"),
    ("dreamcatcher", {"fault": "lost-edges", "amount": float("nan")}, "a number above 0"),
    ("dreamcatcher", {"fault": "overflow", "amount": 2.5}, "a whole number from 1 to 10000"),
    ("dreamcatcher", {"fault": "overflow", "amount": HUGE}, "a whole number from 1 to 10000"),
    ("dreamcatcher", {"fault": "noise", "target": "index", "amount": -5}, "a whole number from 1 to 1000"),
    ("dreamcatcher", {"mend": False}, "'mend' can only be true"),
    ("dreamcatcher", {"mend": 1}, "'mend' can only be true"),
    ("dreamcatcher", {"cut": "true"}, "'cut' can only be true"),
]


@pytest.mark.parametrize(("game", "body", "words"), BAD, ids=[f"{i}" for i in range(len(BAD))])
def test_what_is_no_act_is_refused_with_what_is_allowed(
    page: Callable[[str], Page], game: str, body: object, words: str
) -> None:
    refusal = page(game).refusal(body)
    assert words in refusal
    assert refusal.isprintable()


ACTS = ("key", "press", "throw", "ball", "fault", "mend", "cut", "target", "amount")
NAMES = (
    *(item.fault for item in BREAKAGES),
    *("no-more-bets", "done", "clear", "enter", "floor-key", "1", "40", "big", "straight-17", "encoder_a", "index"),
)
NUMBERS = st.one_of(
    st.floats(-16, 16), st.integers(-20, 60), st.floats(), st.integers(), st.sampled_from((0.2, -12, 15, HUGE))
)
VALUES = st.one_of(
    st.booleans(),
    NUMBERS,
    st.none(),
    st.sampled_from(NAMES),
    st.sampled_from((*"thwbsgroTRHkfpm123 ", "Enter", "Escape")),
    st.characters(codec=None),
    st.text(max_size=50),
)
JSON = st.recursive(
    VALUES, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3)
)
LIKELY = st.one_of(
    st.dictionaries(st.sampled_from(ACTS), VALUES, max_size=3),
    st.fixed_dictionaries({"key": st.sampled_from((*"thwbsgroTRHkfpm123 ", "Enter", "Escape"))}),
    st.fixed_dictionaries({"throw": NUMBERS}),
    st.fixed_dictionaries({"ball": NUMBERS}),
    st.fixed_dictionaries(
        {"fault": st.sampled_from(NAMES)}, optional={"target": st.sampled_from(NAMES), "amount": NUMBERS}
    ),
)


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(game=st.sampled_from(GAMES), bodies=st.lists(LIKELY | JSON, min_size=1, max_size=12))
def test_whatever_is_sent_is_done_or_refused_and_the_picture_stays_json(
    shipped: Shipped, game: str, bodies: list[object]
) -> None:
    bench = Page(shipped(game))
    for body in bodies:
        before, refusal = bench.sees, ""
        try:
            bench.web.act(body)
        except ValueError as error:
            refusal = str(error)
        if refusal:
            assert bench.sees == before, "a refused act does nothing"
            assert refusal.isprintable()
        else:
            assert isinstance(body, dict)
            assert len(body.keys() & {*ACTS[:7]}) == 1
        bench.wait(0.7)
        picture = bench.picture
        assert picture["true"] is None or 0 <= picture["true"]["angle"] < 1
        assert "not possible" not in " ".join(bench.log()), "what cannot be done is refused before"
    bench.bench.close()
