"""The campaign of rewritten records, a record of each game; and that it finds an audit that looks away."""

import pytest
from campaigns.rewrite_campaign import rewrite_some
from campaigns.rewrites import REWRITES

from controller.machine.registry import game_names
from controller.signing.audit import Audit


@pytest.mark.campaign
@pytest.mark.parametrize("game", game_names())
def test_every_rewrite_of_what_the_floor_has_is_named_at_its_entry(game: str) -> None:
    counted = rewrite_some(game, 7, 17 * len(REWRITES))
    assert counted.missed == counted.tail_named == []
    assert {kind for _, kind in counted.places} == set(REWRITES)
    assert counted.tail > 0


def test_an_audit_that_takes_the_tables_word_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Audit, "_by_floor", Audit._by_table)
    counted = rewrite_some("casino-war", 1, len(REWRITES))
    assert counted.missed
