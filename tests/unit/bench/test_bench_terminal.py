"""What the bench's keys do: rounds, faults, power cuts. On virtual time; no terminal, no sleeping."""

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from bench_player import Player

from config.schema import TableConfig
from controller.bench.fault_menu import BREAKAGES
from controller.bench.terminal.keys import ENTER, ESCAPE, INTERRUPT, Hint
from controller.bench.terminal.terminal import is_usable, split_keys
from controller.configuration.shipped import shipped_tables
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.versions import file_of
from controller.statechart.registry import find_game
from hal.mock.world import FAULTS

Shipped = Callable[[str], TableConfig]


def test_a_whole_round_by_keys(player: Callable[[str], Player]) -> None:
    bench = player("dreamcatcher")
    bench.press("h", wait_s=10)
    bench.press("n", "s", "d", wait_s=0.3)
    bench.wait(25)
    assert bench.state == "result"
    assert bench.bench.world.panel.lit() == {"10"}
    bench.press("d", "d", "c")
    assert bench.state == "bets-open"
    assert [(past.round, past.label, past.pays) for past in bench.bench.watch.results] == [(1, "10", "10 to 1")]


def test_a_whole_sic_bo_round_by_keys(player: Callable[[str], Player]) -> None:
    bench = player("sic-bo")
    bench.press("k", "2", "k", "1")
    for roll in ("111", "236", "455"):
        bench.press(*roll, ENTER, "k")
    bench.wait(25)
    bench.press("k")
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
            assert len(bench.log()) > len(player(game).log()) or bench.keyboard.menu, "logged, or a menu opens"
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
    assert "at rest on a peg" in bench.screen()


def test_a_grabbed_wheel_makes_the_spin_void(player: Callable[[str], Player]) -> None:
    bench = player("dreamcatcher")
    bench.press("h", wait_s=10)
    bench.press("n", "t", wait_s=3)
    bench.press("g", wait_s=3)
    assert bench.state == "respin"


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
def test_every_choice_of_the_fault_menu_breaks_and_m_repairs(player: Callable[[str], Player], game: str) -> None:
    bench = player(game)
    bench.press("f")
    menu = bench.keyboard.menu
    assert menu is not None
    bench.press(ESCAPE)
    for choice in menu.choices:
        bench.press("f", choice.key)
        if bench.keyboard.menu is not None:
            bench.press(bench.keyboard.menu.choices[0].key)
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


def test_a_dead_lamp_ends_in_a_message(player: Callable[[str], Player]) -> None:
    bench = player("dreamcatcher")
    bench.press("h", wait_s=10)
    bench.bench.break_("dead-lamp", "10")
    bench.press("n", "s", "d")
    bench.wait(25)
    assert any("no light at 10" in line for line in bench.log())


def test_an_impossible_action_is_a_line_in_the_log(player: Callable[[str], Player]) -> None:
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
    bench.press("n", "s", "d")
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


# -- the wheel -------------------------------------------------------------------------------------------------


def test_the_screen_says_why_the_wheel_rests_where_it_does(player: Callable[[str], Player]) -> None:
    bench = player("dreamcatcher")
    bench.press("h", wait_s=10)
    assert "the leather slipped off peg " in bench.screen()
    bench.press("n", "b", wait_s=30)
    assert "contact closed, between sections" in bench.screen()


def test_a_wheel_is_nudged_held_and_let_go_by_keys(player: Callable[[str], Player]) -> None:
    bench = player("dreamcatcher")
    for key, way in (("u", "counterclockwise"), ("U", "clockwise")):
        bench.press(key, wait_s=0.06)
        assert f"turns {way} at " in bench.screen()
        bench.press("g", wait_s=1)
        assert "a hand holds the wheel; " in bench.screen()
        bench.press("l", wait_s=10)
        assert "a hand holds" not in bench.screen()
    bench.press("t", "r")
    assert "a hand rubs on the rim" in bench.screen()


def test_the_technician_bends_a_peg_and_puts_up_another_wheel_by_keys(player: Callable[[str], Player]) -> None:
    bench = player("dreamcatcher")
    bench.press("h", wait_s=10)
    labels = [choice.short for choice in _opened(bench, "v")]
    bench.press(_opened(bench, "v", close=False)[labels.index("bend a peg by +1°")].key, " ", "3")
    assert bench.log()[-1] == "> peg 30 is bent by 1° clockwise"
    bench.press(_opened(bench, "v", close=False)[labels.index("a wheel of the fleet")].key, "7", wait_s=5)
    assert bench.bench.workshop.name == "wheel 7 of the fleet"
    bench.press("t", "v", wait_s=1)
    bench.press(_opened(bench, "", close=False)[labels.index("calibrate")].key)
    assert bench.log()[-1].startswith("not possible: the wheel turns")


def test_the_record_tells_rounds_of_another_wheel_from_those_of_the_files_one(
    player: Callable[[str], Player],
) -> None:
    bench = player("dreamcatcher")
    bench.press("h", wait_s=10)
    workshop, files = bench.bench.workshop, [_file_on_record(bench)]
    for number in (7, None, 8, 7):
        workshop.fit(number)
        bench.wait(5)
        files.append(_file_on_record(bench))
    assert files[0] == files[2]
    assert files[1] == files[4]
    assert len(set(files)) == 3


def _file_on_record(bench: Player) -> str:
    journal = bench.bench.journal
    return file_of(journal, max(entry.seq for entry in journal.entries()))


def _opened(bench: Player, key: str, close: bool = True) -> tuple[Hint, ...]:
    """The choices of a menu."""
    if key:
        bench.press(key)
    menu = bench.keyboard.menu
    assert menu is not None
    if close:
        bench.press(ESCAPE)
    return menu.choices
