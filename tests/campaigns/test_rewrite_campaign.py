"""A sample of the campaign of rewritten records; and that it finds an audit that looks away."""

import json

import pytest
from campaigns import rewrite_campaign
from campaigns.rewrite_campaign import GAMES, RewritePart, campaign, main, rewrite_some
from campaigns.rewrites import REWRITES

from controller.transparency.auditing import RecordAudit


@pytest.mark.campaign
def test_every_rewrite_of_what_a_witness_signed_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rewrite_campaign, "AT_ONCE", 2 * len(REWRITES))
    counted = campaign(2 * len(REWRITES) * len(GAMES), seed=7)
    assert counted.missed == counted.tail_named == []
    assert {game for game, _ in counted.places} == set(GAMES)
    assert {kind for _, kind in counted.places} == set(REWRITES)
    assert counted.named["audit"] == counted.places.total()
    # What docs/security.md says is not covered.
    assert counted.without_witness < counted.places.total()
    assert counted.without_head < counted.places.total()
    assert counted.tail > 0


def test_an_audit_that_compares_no_roots_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(RecordAudit, "run", lambda audit: audit._verdict)
    counted = rewrite_some(RewritePart("casino-war", 1, len(REWRITES)))
    assert len(counted.missed) == counted.places.total() > 0
    assert not counted.passed


def test_the_command_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--places", "10", "--workers", "1", "--json"]) == 0
    counted = json.loads(capsys.readouterr().out)
    assert counted["rewritten"] + counted["same"] == 10
    assert counted["missed"] == []
    assert main(["--places", "2", "--workers", "1"]) == 0
    assert "not named by the audit, or signed by the witness: 0" in capsys.readouterr().out
