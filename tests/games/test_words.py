"""People read words: no alert, note, device or message of any game has the name of an area, a lamp or a key."""

import re
from collections.abc import Iterable
from typing import Any

import pytest
from any_game import Walk, shipped_table
from screen_table import Screens, screens_of

from controller.bench.rig import Rig
from controller.events.event import KeyStuck, PanelFault
from controller.floor.derive import Reader
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


def shown(screens: Screens) -> list[str]:
    dealer = screens.dealer()
    alerts = [text for alert in dealer["alerts"] for text in (alert["text"], alert["remedy"])]  # type: ignore[attr-defined]
    return [*alerts, *(line["detail"] for line in dealer["health"])]  # type: ignore[attr-defined]


@pytest.mark.parametrize("name", game_names())
def test_every_lamp_and_key_that_fails_is_named_in_words(name: str) -> None:
    """On the dealer's screen, and at the floor."""
    rig = Rig(shipped_table(name))
    screens = screens_of(rig)
    for lamp in rig.lamps:
        rig.table.take([PanelFault(rig.clock.now_ns(), (lamp,), ()), PanelFault(rig.clock.now_ns(), (), (lamp,))])
        assert raw_names(name, shown(screens)) == set()
    for control in rig.game.controls:
        rig.table.take([KeyStuck(rig.clock.now_ns(), control)])
        assert raw_names(name, shown(screens)) == set()
    reader = Reader("t-1", 1)
    for entry in rig.journal.entries():
        reader.take(entry)
    texts = [alert[key] for alert in reader.found().alerts for key in ("text", "remedy")]
    assert any(texts)
    assert raw_names(name, texts) == set()


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
