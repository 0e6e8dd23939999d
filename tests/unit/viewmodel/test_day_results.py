"""The counts of a day on the board: how often, how long ago, and as much of it as the table's file wants."""

from collections.abc import Callable

import pytest
from campaigns.fault_matrix import configuration
from screen_table import arrive, screens_of

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import Result
from controller.viewmodel.screen import screen_of


def test_zeros_are_neither_red_nor_black_and_neither_odd_nor_even() -> None:
    past = screen_of("roulette").past
    groups = {label: past(Result(label, ())) for label in ("0, green", "00, green", "17, black", "36, red")}
    assert {label: shown.counted[1:] for label, shown in groups.items() if shown is not None} == {
        "0, green": ("zero",),
        "00, green": ("zero",),
        "17, black": ("black", "odd"),
        "36, red": ("red", "even"),
    }


def test_the_shares_of_a_roulette_table_are_of_all_results() -> None:
    board = arrive(configuration("roulette"), "result").checked_board()
    number, colour = board["result"].split()
    named = {share["label"]: share["count"] for group in board["shares"] for share in group}
    assert set(named) == {"red", "zero", "black", "odd", "even"}
    assert [sum(share["count"] for share in group) for group in board["shares"]] == [board["spins"]] * 2
    assert named["zero" if colour == "green" else colour] >= 1, number


def test_counts_and_results_since_are_those_of_the_list_of_results(dreamcatcher: Rig) -> None:
    screens, spun = screens_of(dreamcatcher), ["40", "1", "2", "1", "10"]
    for section in spun:
        dreamcatcher.press("no-more-bets")
        dreamcatcher.spin(stop_on=section)
        dreamcatcher.press("done", "done", "clear")
    board = screens.checked_board()
    assert board["spins"] == len(spun)
    newest = spun[::-1]
    for one in board["counts"]:
        assert one["count"] == spun.count(one["label"])
        assert one["since"] == (newest.index(one["label"]) if one["label"] in spun else None)


@pytest.mark.parametrize(("history", "shown"), [("none", (0, 0)), ("results", (1, 0)), ("counts", (1, 6))])
def test_the_tables_file_says_what_the_board_shows_of_the_past(
    history: str, shown: tuple[int, int], shipped: Callable[[str], TableConfig]
) -> None:
    section = shipped("roulette").screens.model_copy(update={"history": history})
    board = arrive(shipped("roulette").model_copy(update={"screens": section}), "result").board()
    shares = sum(map(len, board["shares"]))
    assert (min(1, len(board["history"])), shares, bool(board["counts"])) == (*shown, history == "counts")
