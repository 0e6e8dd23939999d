"""Wagers that were closed too early open again only while nobody can have seen the dice."""

import pytest

from controller.bench.rig import Rig


@pytest.mark.clause("577.3(c)", "577.3(e)")
def test_footballs_wagers_stay_closed_once_people_have_seen_the_throw(football: Rig) -> None:
    """§ 577.3(c), (e): an entry that was wiped does not unsee it; a throw that does not count is made again."""
    table = football
    table.press("no-more-bets", "correct")
    assert table.state.value == "bets-open"
    table.press("no-more-bets", "3", "4", "clear", "correct")
    assert table.state.value == "throw"
    assert table.last("refused").control == "correct"
    table.press("no-roll", "3", "correct")
    assert table.state.value == "bets-open"


def test_whether_an_extra_point_wager_stands_is_not_answered_anew_once_its_roll_is_seen(football: Rig) -> None:
    """§ 577.6(f)(1): the stickperson says so before the roll."""
    table = football
    table.press("no-more-bets", "6", "6", "1", "enter", "done", "no-more-bets", "6", "5", "1", "enter", "done")
    while table.state.value != "extra-point-offered":
        table.press("done")
    table.press("enter", "correct")
    assert table.state.value == "extra-point-offered"
    table.press("enter", "2", "clear", "correct")
    assert table.state.value == "extra-point-throw"
    assert "correct" not in table.waiting_for
