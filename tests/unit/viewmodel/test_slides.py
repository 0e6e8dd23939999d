"""Between rounds the board says how the game goes, in the guide's words, and what the table's own wagers pay."""

import re

import pytest
from any_game import shipped_table

from config.schema import GuideSection, TableConfig
from controller.machine.registry import find_game, game_names
from controller.odds.wagers import to_one
from controller.viewmodel.description import LONGEST, ROWS, slides_of


def approved(name: str) -> TableConfig:
    guide = GuideSection(approval="Bureau of Gaming Operations, 2026-11-02", sample="1a2b3c")
    return shipped_table(name).model_copy(update={"guide": guide})


def test_without_an_approved_guide_the_board_explains_nothing() -> None:
    assert slides_of(shipped_table("sic-bo"), find_game("sic-bo")) == []


@pytest.mark.parametrize("name", game_names())
def test_a_game_is_explained_in_parts_and_every_wager_has_its_odds_in_a_list(name: str) -> None:
    game, config = find_game(name), approved(name)
    slides = slides_of(config, game)
    texts, lists = [one.text for one in slides if one.text], [one.pays for one in slides if one.pays]
    assert len(texts) >= 3
    assert all(len(text) <= LONGEST for text in texts if ". " in text)
    assert all(len(rows) <= ROWS for rows in lists)
    guide = " ".join(game.guide)
    assert all(sentence in guide for text in texts for sentence in re.split(r"(?<=\.) ", text))
    payouts = game.payouts(config)
    paid = {", ".join(map(to_one, payouts.all_odds(area))) for area in payouts.areas}
    assert {line.pays for rows in lists for line in rows} == paid


def test_odds_of_the_tables_file_are_shown() -> None:
    config = approved("sic-bo")
    layout = config.layout.model_copy(update={"odds": {**config.layout.odds, "any-three-of-a-kind": 30}})
    slides = slides_of(config.model_copy(update={"layout": layout}), find_game("sic-bo"))
    lines = {line.label: line.pays for one in slides for line in one.pays}
    assert lines["any three of a kind"] == "30 to 1"
    assert lines["two of a kind"] == "8 to 1"
