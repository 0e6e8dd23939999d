"""The counts of a day on the board: how often, how long ago, and what a corrected result leaves of them."""

from campaigns.fault_matrix import configuration
from hypothesis import given
from hypothesis import strategies as st
from screen_table import arrive

from controller.events.effect import Result
from controller.viewmodel.day import DayResults
from controller.viewmodel.screen import screen_of

LABELS = ("1", "2", "5")


def counted(*results: str) -> DayResults:
    day = DayResults()
    for label in results:
        day.add((label,))
    return day


@given(st.lists(st.sampled_from(LABELS)))
def test_counts_and_results_since_are_those_of_the_whole_list(results: list[str]) -> None:
    day = counted(*results)
    for label in LABELS:
        assert day.count(label) == results.count(label)
        assert day.since(label) == (results[::-1].index(label) if label in results else None)


@given(st.lists(st.sampled_from(LABELS), min_size=2), st.integers(1, 2))
def test_results_that_are_withdrawn_leave_no_trace(results: list[str], withdrawn: int) -> None:
    day = DayResults()
    added = [day.add((label,)) for label in results]
    for result in reversed(added[-withdrawn:]):
        day.withdraw(result)
    kept = counted(*results[:-withdrawn])
    assert day.spins == kept.spins
    assert [(day.count(one), day.since(one)) for one in LABELS] == [
        (kept.count(one), kept.since(one)) for one in LABELS
    ]


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
