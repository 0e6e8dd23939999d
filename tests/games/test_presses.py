"""How many keys a round takes, measured on whole rounds: none of them may take more."""

from collections.abc import Mapping

import pytest
from effects import effects
from open_tables import Shipped, opened, with_rules
from steps import act

from controller.events.event import Press


def _war(positions: int) -> str:
    return f"no-more-bets {{}}king {'2 ' * (positions - 1)}queen enter done clear"


ROUNDS: Mapping[str, tuple[str, dict[str, object], str, str, int]] = {
    "Dreamcatcher": ("dreamcatcher", {}, "", "no-more-bets spin 10 done done clear", 4),
    "Big Six": ("big-six", {}, "", "no-more-bets spin 10 done done clear", 4),
    "Sic Bo": ("sic-bo", {}, "", "no-more-bets 1 2 3 enter done clear", 7),
    "Three Dice Football, a throw": ("three-dice-football", {}, "", "no-more-bets 3 4 2 enter", 5),
    "Roulette, reader alone": ("roulette", {"result": "reader"}, "", "ball read done clear", 3),
    "Roulette, reader and keypad": ("roulette", {}, "", "ball 1 7 read done clear", 5),
    "Casino War, 1 position": ("casino-war", {}, _war(1).format("1 enter "), _war(1).format(""), 6),
    "Casino War, 7 positions": ("casino-war", {}, _war(7).format("1 2 3 4 5 6 7 enter "), _war(7).format(""), 12),
}
"""A table's game and rules, the round before, a round, and the most presses that it may take."""


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_takes_no_more_presses(shipped: Shipped, name: str) -> None:
    game, rules, before, steps, most = ROUNDS[name]
    table = opened(with_rules(shipped(game), **rules))
    act(table, before)
    first = len(table.records())
    act(table, steps)
    assert effects(table, "result", first)
    assert effects(table, "refused", first) == []
    assert sum(isinstance(record.event, Press) for record in table.records()[first:]) <= most
