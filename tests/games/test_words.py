"""People read words: no alert, note, device or message of any game has the name of an area, a lamp or a key."""

import re
from collections.abc import Iterable
from typing import Any

import pytest
from any_game import Walk, shipped_table

from controller.machine.registry import find_game, game_names
from controller.viewmodel.task import LINE

ACTS = 120


def raw_names(name: str, texts: Iterable[str]) -> set[str]:
    """Names of the record in texts for people: those of several words, which a sentence has no use for."""
    game, config = find_game(name), shipped_table(name)
    names = {*game.lamps(config.rules), *game.areas, *game.controls, *game.switches}
    found = re.compile(r"(?<![\w-])[a-z0-9]+(?:-[a-z0-9]+)+(?![\w-])")
    spoken = {"1-18", "19-36"}
    return {one for text in texts for one in found.findall(text) if one in names and one not in spoken}


@pytest.mark.parametrize("name", game_names())
@pytest.mark.campaign
def test_the_dealers_screen_has_one_act_in_a_line_and_no_name_of_the_record(name: str) -> None:
    """Whatever is pressed and whatever fails: the act, what else may be done, what is keyed and what is paid."""
    walk = Walk(name, seed=1)
    wrong: set[str] = set()

    def look(board: dict[str, Any]) -> None:
        dealer: Any = walk.screens.dealer()
        task, paid, keyed = dealer["task"], dealer["paid"], dealer["keyed"] or {"words": ""}
        if not 0 < len(task["act"]) <= LINE:
            wrong.add(f"{board['state']}: {task['act']}")
        labels = [win["label"] for win in paid]
        wrong.update(raw_names(name, [task["act"], *task["more"], task["refused"], *labels, keyed["words"]]))

    walk.screens.checks.append(look)
    walk.go(ACTS)
    assert wrong == set()
