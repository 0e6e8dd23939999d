"""The technician's bench: what its screen shows, what its keys do, the demonstration. No terminal, no sleeping."""

import io
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from config.schema import TableConfig
from controller.bench.demo import play_demo
from controller.bench.faults import BREAKAGES
from controller.bench.frame import Frame, bench_frame, frame_of, keyboard_of
from controller.bench.keys import ENTER, ESCAPE, INTERRUPT
from controller.bench.live import LiveBench
from controller.bench.rig import Rig
from controller.bench.screen import draw
from controller.bench.terminal import is_usable, split_keys
from controller.bench.views.board import ASCII_SIGNS, SIGNS, Scene, Signs
from controller.bench.watch import Watch
from controller.bench.words import minutes, revolutions
from controller.games.game import find_game
from controller.records.journal import Journal, JournalError
from controller.tables import shipped_tables
from docs.make_picture import picture
from hal.mock.clock import VirtualClock
from hal.mock.world import FAULTS

SIZES = ((80, 24), (100, 30), (200, 60))
WHEELS = ("dreamcatcher", "big-six")
Shipped = Callable[[str], TableConfig]


def drawn(frame: Frame, width: int, height: int, signs: Signs = SIGNS) -> list[str]:
    """The rows of the screen, without colours."""
    console = Console(width=width, height=height, file=io.StringIO(), force_terminal=True, color_system=None)
    with console.capture() as capture:
        console.print(draw(frame, width, height, signs), end="")
    return capture.get().rstrip("\n").split("\n")


def fits(rows: list[str], width: int, height: int) -> bool:
    return len(rows) == height and all(cell_len(row) <= width for row in rows)


class Player:
    """Presses keys on a bench on virtual time, and looks at its screen."""

    def __init__(self, config: TableConfig, journal: Path | None = None) -> None:
        self.clock = VirtualClock()
        self.bench = LiveBench(config, journal, seed=1, clock=self.clock)
        self.keyboard = keyboard_of(self.bench)

    def wait(self, seconds: float) -> None:
        self.clock.advance_to(self.clock.now_ns() + int(seconds * 1e9))

    def press(self, *keys: str, wait_s: float = 0.3) -> None:
        for key in keys:
            self.keyboard.press(key)
            self.wait(wait_s)

    def screen(self, width: int = 100, height: int = 30) -> str:
        return "\n".join(drawn(bench_frame(self.bench, self.keyboard), width, height))

    @property
    def state(self) -> str:
        return str(self.bench.table.machine.state.value)

    def log(self) -> list[str]:
        return [line.text for line in self.bench.watch.log]


@pytest.fixture
def player(shipped: Shipped) -> Iterator[Callable[[str], Player]]:
    players: list[Player] = []

    def make(game: str) -> Player:
        players.append(Player(shipped(game)))
        return players[-1]

    yield make
    for made in players:
        made.bench.close()


# -- the screen ------------------------------------------------------------------------------------------------


@pytest.fixture
def watched(shipped: Shipped) -> Callable[[str], tuple[Rig, Callable[[], Frame]]]:
    """A rig, and what takes its frame."""

    def make(game: str) -> tuple[Rig, Callable[[], Frame]]:
        watch = Watch()
        rig = Rig(shipped(game), listeners=(watch,))
        return rig, lambda: frame_of(Scene(rig.config, find_game(game), rig.table, rig.world, watch))

    return make


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("game", WHEELS)
def test_every_state_of_a_wheel_round_fits_every_screen(
    watched: Callable[[str], tuple[Rig, Callable[[], Frame]]], game: str, width: int, height: int
) -> None:
    rig, frame = watched(game)

    def shows(state: str, *words: str) -> None:
        rows = drawn(frame(), width, height)
        assert fits(rows, width, height)
        assert rows[0].rstrip().endswith(state)
        assert all(word in "\n".join(rows) for word in (*words, rig.waiting_for.split(":")[0][:40])), rows

    shows("LOCATING", "position unknown", "round 1")
    rig.turn(1.2)
    shows("BETS OPEN", "table:", "true:", "1.20 of 3 revolutions")
    rig.press("no-more-bets")
    rig.spin(2.0)
    shows("RESPIN", "VOID", "fewer than three")
    rig.spin(4.0, rest=False)
    rig.wait(6)
    shows("SPINNING", "turning counterclockwise: ", "of 3 revolutions")
    rig.rest()
    rig.spin(4.0, stop_on="10")
    shows("RESULT", "● 10", "○ 20", "10 pays 10 to 1")
    rig.press("done", "done", "clear", "no-more-bets")
    rig.world.fault("dead-clapper")
    rig.spin(4.0)
    shows("LOCKED", "ALERT", "clapper")


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_every_state_of_sic_bo_fits_every_screen(
    watched: Callable[[str], tuple[Rig, Callable[[], Frame]]], width: int, height: int
) -> None:
    rig, frame = watched("sic-bo")

    def shows(state: str, *words: str) -> None:
        rows = drawn(frame(), width, height)
        assert fits(rows, width, height)
        assert rows[0].rstrip().endswith(state)
        assert all(word in "\n".join(rows) for word in words), rows

    shows("CLOSED", "○small", "○any triple", "○1-2", "○5-6", "○6-6-6", "○17", "one of a kind")
    rig.press("floor-key")
    shows("FLOOR MENU", "clear leaves")
    rig.press("2", "floor-key", "1", "7", "enter", *"333", "enter")
    shows("INSPECTION LIT", "●3-3-3", "●any triple", "●9", "○small", "○big")
    rig.press("floor-key", *"123", "enter", "floor-key", *"456", "enter", "floor-key")
    shows("BETS OPEN", "round 1")
    rig.press("no-more-bets", "6", "5")
    shows("ENTRY", "6-5-_")
    rig.press("4", "enter")
    shows("RESULT", "●4-5", "●4-6", "●5-6", "●15", "●big", "6-5-4")
    rig.world.fault("stuck-key", "done")
    rig.wait(60)
    shows("MALFUNCTION", "the key done is stuck", "who then turns the key")


def test_a_lamp_that_does_not_obey_is_marked(watched: Callable[[str], tuple[Rig, Callable[[], Frame]]]) -> None:
    rig, frame = watched("dreamcatcher")
    rig.turn(1.2)
    rig.press("no-more-bets")
    rig.world.fault("dead-lamp", "10")
    rig.world.fault("burning-lamp", "2")
    rig.spin(4.0, stop_on="10")
    screen = "\n".join(drawn(frame(), 80, 24))
    assert "! 10" in screen
    assert "! 2" in screen


def test_a_slipped_encoder_shows_as_two_places(player: Callable[[str], Player]) -> None:
    bench = player("dreamcatcher")
    bench.press("h", wait_s=10)
    assert "true:   77 counts" in bench.screen()
    bench.bench.break_("slip", amount=0.5)
    bench.press("n", "t", wait_s=4)
    rows = bench.screen().split("\n")
    clapper = next(row for row in rows if "▼" in row).index("▼")
    assert "▲" not in rows[8] or rows[8].index("▲") != clapper


def test_a_small_terminal_is_told_so(player: Callable[[str], Player]) -> None:
    frame = bench_frame(player("dreamcatcher").bench, player("dreamcatcher").keyboard)
    for width, height in ((79, 24), (80, 23), (20, 5), (1, 1)):
        rows = drawn(frame, width, height)
        assert all(cell_len(row) <= width for row in rows)
    assert "80 columns" in drawn(frame, 79, 24)[0]


def test_a_terminal_without_the_signs_gets_ascii(player: Callable[[str], Player]) -> None:
    for game in shipped_tables():
        bench = player(game)
        console = Console(width=80, height=24, file=io.TextIOWrapper(io.BytesIO(), encoding="ascii"))
        console.print(draw(bench_frame(bench.bench, bench.keyboard), 80, 24, ASCII_SIGNS))
        console.file.flush()


def test_equal_frames_are_equal_so_that_a_still_table_is_not_drawn_again(player: Callable[[str], Player]) -> None:
    bench = player("dreamcatcher")
    before = bench_frame(bench.bench, bench.keyboard)
    bench.wait(1)
    assert bench_frame(bench.bench, bench.keyboard) == before


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("game", sorted(shipped_tables()))
def test_help_and_menus_fit_and_are_complete(
    player: Callable[[str], Player], game: str, width: int, height: int
) -> None:
    bench = player(game)
    keys = bench.screen(width, height)
    assert all(hint.short in keys for hint in bench.keyboard.hints)
    bench.press("?")
    words = bench.screen(width, height)
    assert fits(words.split("\n"), width, height)
    assert all(hint.long in words for hint in bench.keyboard.hints)
    bench.press("?", "f")
    page = bench.keyboard.menu
    assert page is not None
    words = bench.screen(width, height)
    assert fits(words.split("\n"), width, height)
    assert all(choice.short in words for choice in page.choices)


# -- keys ------------------------------------------------------------------------------------------------------


def test_a_whole_round_by_keys(player: Callable[[str], Player]) -> None:
    bench = player("dreamcatcher")
    bench.press("h", wait_s=10)
    bench.press("n", "s", "4", wait_s=0.3)
    bench.wait(25)
    assert bench.state == "result"
    assert bench.bench.world.panel.lit() == {"10"}
    bench.press("d", "d", "c")
    assert bench.state == "bets-open"
    assert [(past.round, past.label, past.pays) for past in bench.bench.watch.results] == [(1, "10", "10 to 1")]


def test_a_whole_sic_bo_round_by_keys(player: Callable[[str], Player]) -> None:
    bench = player("sic-bo")
    bench.press("k", "2", "k", "1", "7", ENTER)
    for roll in ("111", "236", "455"):
        bench.press(*roll, ENTER, "k")
    bench.press("n", *"346", ENTER)
    assert bench.state == "result"
    bench.press("e", "k", *"345", ENTER)
    assert [past.label for past in bench.bench.watch.results] == ["3-4-5"], "the correction replaces"
    bench.press("d", "d", "c")
    assert bench.state == "bets-open"


@pytest.mark.parametrize("game", sorted(shipped_tables()))
def test_every_control_has_a_key_of_its_own(player: Callable[[str], Player], game: str) -> None:
    bench = player(game)
    keys = [
        key
        for binding in bench.keyboard.bindings
        for key in (binding.key, binding.key.upper() * bool(binding.capital))
    ]
    assert len(bench.keyboard.bindings) >= len(bench.bench.controls) + 3
    assert sorted(filter(None, keys)) == sorted(set(filter(None, keys)))
    assert not {"?", "q"} & set(keys)


@pytest.mark.parametrize("game", sorted(shipped_tables()))
def test_every_key_does_something(player: Callable[[str], Player], game: str) -> None:
    for binding in player(game).keyboard.bindings:
        for key in (binding.key, binding.key.upper()) if binding.capital else (binding.key,):
            bench = player(game)
            before = bench.screen()
            bench.press(key)
            assert bench.screen() != before
            assert len(bench.log()) > len(player(game).log()) or bench.keyboard.menu, "it is told, or it asks"
            assert not bench.keyboard.notice


def test_a_capital_letter_throws_clockwise(player: Callable[[str], Player]) -> None:
    for key, word in (("t", "counterclockwise"), ("T", "clockwise")):
        bench = player("dreamcatcher")
        bench.press(key, wait_s=6)
        assert f"turning {word}: " in bench.screen()


@pytest.mark.parametrize(("key", "least", "most"), [("t", 3.9, 6), ("w", 1.4, 3)])
def test_hard_throws_make_a_valid_spin_and_weak_ones_do_not(
    player: Callable[[str], Player], key: str, least: float, most: float
) -> None:
    bench = player("dreamcatcher")
    bench.press("h", wait_s=10)
    bench.press("n", key, wait_s=30)
    rested = bench.bench.watch.rested
    assert rested is not None
    assert least <= rested.travel_counts / rested.counts_per_turn < most


def test_a_throw_to_a_peg_is_void_between_sections(player: Callable[[str], Player]) -> None:
    bench = player("dreamcatcher")
    bench.press("h", wait_s=10)
    bench.press("n", "b", wait_s=30)
    assert bench.state == "respin"
    assert "on a peg" in bench.screen()


def test_a_grabbed_wheel_locks_the_table(player: Callable[[str], Player]) -> None:
    bench = player("dreamcatcher")
    bench.press("h", wait_s=10)
    bench.press("n", "t", wait_s=3)
    bench.press("g", wait_s=3)
    assert bench.state == "locked"


def test_quitting(player: Callable[[str], Player]) -> None:
    for key in ("q", INTERRUPT):
        bench = player("dreamcatcher")
        bench.press("f", key)
        assert bench.keyboard.quits


def test_a_key_without_a_meaning_is_answered_and_changes_nothing(player: Callable[[str], Player]) -> None:
    bench = player("dreamcatcher")
    bench.press("z")
    assert "z does nothing here" in bench.screen(80, 24)
    bench.press("f", "z")
    assert "z is no choice" in bench.screen(80, 24)
    bench.press(ESCAPE, "\x1b[A")
    assert "that key does nothing here" in bench.screen()
    assert len(bench.log()) == 2


def test_what_a_terminal_sends_becomes_keys() -> None:
    assert split_keys("nd\n") == ["n", "d", "\r"]
    assert split_keys("\x1b[A\x1bOPq\x1b[15~") == ["\x1b[A", "\x1bOP", "q", "\x1b[15~"]
    assert split_keys("\x1b") == [ESCAPE]


def test_the_live_screen_needs_a_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    class Tty(io.StringIO):
        def isatty(self) -> bool:
            return True

    monkeypatch.setenv("TERM", "xterm")
    assert is_usable(Tty(), Tty())
    assert not is_usable(io.StringIO(), Tty())
    assert not is_usable(Tty(), io.StringIO())
    monkeypatch.setenv("TERM", "dumb")
    assert not is_usable(Tty(), Tty())


# -- faults ----------------------------------------------------------------------------------------------------


def test_the_fault_menu_offers_every_fault() -> None:
    assert {item.fault for item in BREAKAGES} == set(FAULTS)


@pytest.mark.parametrize("game", sorted(shipped_tables()))
def test_every_choice_of_the_fault_menu_breaks_and_m_mends(player: Callable[[str], Player], game: str) -> None:
    bench = player(game)
    bench.press("f")
    menu = bench.keyboard.menu
    assert menu is not None
    bench.press(ESCAPE)
    for choice in menu.choices:
        bench.press("f", choice.key)
        if bench.keyboard.menu is not None:
            bench.press("1")
        assert len(bench.bench.faults) == 1
        assert "not possible" not in " ".join(bench.log())
        assert bench.bench.faults[0] in bench.screen()
        bench.press("m")
        assert not bench.bench.faults
        assert "broken: nothing" in bench.screen()


def test_long_menus_have_pages(player: Callable[[str], Player]) -> None:
    bench = player("sic-bo")
    bench.press("f", "1")
    seen: list[str] = []
    for _ in range(2):
        page = bench.keyboard.menu
        assert page is not None
        assert page.more
        seen += [choice.short for choice in page.choices]
        bench.press(" ")
    assert sorted(seen) == sorted(find_game("sic-bo").areas)


def test_a_dead_lamp_ends_in_words(player: Callable[[str], Player]) -> None:
    bench = player("dreamcatcher")
    bench.press("h", wait_s=10)
    bench.bench.break_("dead-lamp", "10")
    bench.press("n", "s", "4")
    bench.wait(25)
    assert any("no light at 10" in line for line in bench.log())


def test_what_cannot_be_done_is_a_line_in_the_log(player: Callable[[str], Player]) -> None:
    bench = player("sic-bo").bench
    for action in (
        bench.grab,
        lambda: bench.press("nothing"),
        lambda: bench.break_("fire"),
        lambda: bench.break_("slip"),
    ):
        action()
        assert bench.watch.log[-1].text.startswith("not possible: ")
    assert not bench.faults
    wheel = player("dreamcatcher").bench
    wheel.break_("dead-lamp", "3")
    assert "not possible" in wheel.watch.log[-1].text


# -- power cuts ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("in_file", [False, True])
def test_a_power_cut_keeps_the_lit_result(shipped: Shipped, tmp_path: Path, in_file: bool) -> None:
    bench = Player(shipped("dreamcatcher"), tmp_path / "journal" if in_file else None)
    bench.press("h", wait_s=10)
    bench.press("n", "s", "4")
    bench.wait(25)
    bench.press("p")
    assert "POWER OFF" in bench.screen()
    assert not bench.bench.world.panel.lit()
    bench.press("p", "d", "n")
    bench.wait(4)
    assert bench.state == "result"
    assert bench.bench.world.panel.lit() == {"10"}
    assert any("power restored" in line for line in bench.log())
    bench.press("d", "d", "c")
    assert bench.state == "locating"
    bench.bench.close()
    bench.bench.close()


def test_a_bench_that_is_closed_in_a_power_cut_stays_closed(shipped: Shipped, tmp_path: Path) -> None:
    bench = Player(shipped("sic-bo"), tmp_path / "journal")
    bench.press("p")
    bench.bench.close()
    bench.wait(10)
    Journal(tmp_path / "journal").close()


def test_a_journal_of_another_game_is_refused_and_released(shipped: Shipped, tmp_path: Path) -> None:
    file = tmp_path / "journal"
    Player(shipped("sic-bo"), file).bench.close()
    with pytest.raises(JournalError):
        Player(shipped("dreamcatcher"), file)
    Journal(file).close()


# -- words and the demonstration -------------------------------------------------------------------------------


def test_times_and_revolutions_are_cut_not_rounded() -> None:
    assert minutes(59_999_999_999) == "0:59"
    assert minutes(3_600_000_000_000) == "60:00"
    assert revolutions(4319, 1440) == "2.99"
    assert revolutions(4320, 1440) == "3.00"


def demo(config: TableConfig, seed: int | None = None, journal: Path | None = None) -> tuple[int, str]:
    out = io.StringIO()
    return play_demo(config, out, seed, journal), out.getvalue()


@pytest.mark.parametrize("seed", [None, 0, 1])
@pytest.mark.parametrize("game", WHEELS)
def test_the_demonstration_of_a_wheel(shipped: Shipped, game: str, seed: int | None) -> None:
    code, told = demo(shipped(game), seed)
    assert code == 0
    assert "rounds settled  10" in told
    assert "(10 of 10)" in told
    for words in (
        "VOID fewer than three revolutions",
        "VOID between sections",
        "VOID power cut",
        "VOID sensor fault",
        "REFUSED done",
        f"lit: {find_game(game).areas[-1]}",
        "chain           verified",
        "the floorperson confirmed the wheel's position",
    ):
        assert words in told
    assert ("BONUS 2x: the next result pays 2 times" in told) == (game == "dreamcatcher")
    assert all(len(row) <= 100 for row in told.split("\n"))


@pytest.mark.parametrize("seed", [None, 0])
def test_the_demonstration_of_sic_bo(shipped: Shipped, seed: int | None) -> None:
    code, told = demo(shipped("sic-bo"), seed)
    assert code == 0
    assert "rounds settled  10" in told
    for words in (
        "the opening inspection was passed",
        "RESULT 3-3-3: ",
        "3-4-6 was corrected to 3-4-5",
        "VOID no roll",
        "all wagers go back to the players",
        "voids           1 (no roll 1)",
    ):
        assert words in told


def test_the_demonstration_with_an_automated_shaker(shipped: Shipped) -> None:
    config = shipped("sic-bo")
    assert config.dice is not None
    automated = config.model_copy(update={"dice": config.dice.model_copy(update={"shaker": "automated"})})
    assert demo(automated)[0] == 0


def test_the_demonstration_is_the_same_every_time(shipped: Shipped) -> None:
    assert demo(shipped("dreamcatcher"), 5) == demo(shipped("dreamcatcher"), 5)


def test_the_demonstration_leaves_a_whole_journal_and_takes_no_old_one(shipped: Shipped, tmp_path: Path) -> None:
    file = tmp_path / "journal"
    _, told = demo(shipped("dreamcatcher"), None, file)
    journal = Journal(file, read_only=True)
    assert journal.verify().head in told
    journal.close()
    with pytest.raises(JournalError, match="name a new file"):
        demo(shipped("dreamcatcher"), None, file)


def test_the_picture_in_the_documentation_is_the_same_every_time() -> None:
    first = picture()
    assert first == picture()
    assert "RESULT" in first
    assert "http" not in first.replace("http://www.w3.org/2000/svg", "").replace("https://www.textualize.io", "")
