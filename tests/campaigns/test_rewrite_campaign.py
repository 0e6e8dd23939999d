"""The campaign of rewritten records, a record of each game; and that it finds an audit that looks away."""

import pytest
from campaigns.rewrite_campaign import rewrite_some
from campaigns.rewrites import REWRITES

from controller.machine.registry import game_names
from controller.transparency.auditing import RecordAudit


@pytest.mark.campaign
@pytest.mark.parametrize("game", game_names())
def test_every_rewrite_of_what_a_witness_signed_is_named(game: str) -> None:
    counted = rewrite_some(game, 7, 2 * len(REWRITES))
    assert counted.missed == counted.tail_named == []
    assert {kind for _, kind in counted.places} == set(REWRITES)
    assert counted.named["audit"] == counted.places.total()
    # What docs/security.md says is not covered.
    assert counted.without_witness < counted.places.total()
    assert counted.without_head < counted.places.total()
    assert counted.tail > 0


def test_an_audit_that_compares_no_roots_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RecordAudit, "run", lambda audit: audit._verdict)
    counted = rewrite_some("casino-war", 1, len(REWRITES))
    assert len(counted.missed) == counted.places.total() > 0
