"""Samples of the campaigns of damage and of rewritten records, and the defects that they must find."""

import pytest
from campaigns.damage_campaign import damaged
from campaigns.rewrite_campaign import REWRITES, rewrite_some

from controller.journal.head_anchor import HeadAnchor
from controller.machine.registry import game_names
from controller.signing.audit import Audit


def test_no_damage_is_silent() -> None:
    tally = damaged((80, 1))
    assert tally.silent == []
    assert {found for _, found in tally.counted} == {"named", "harmless"}


def test_a_head_that_is_written_only_where_a_round_opens_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    note = HeadAnchor.note
    monkeypatch.setattr(
        HeadAnchor, "note", lambda anchor, seq, digest: note(anchor, 1, digest) if seq == 1 else None
    )
    assert damaged((80, 1)).silent


@pytest.mark.campaign
@pytest.mark.parametrize("game", game_names())
def test_every_rewrite_of_what_the_floor_has_is_named_at_its_entry(game: str) -> None:
    tally = rewrite_some((game, 7, 17 * len(REWRITES)))
    assert tally.missed == tally.tail_named == []
    assert set(tally.covered) == set(REWRITES)
    assert tally.tail > 0


def test_an_audit_that_takes_the_tables_word_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Audit, "_by_floor", Audit._by_table)
    assert rewrite_some(("casino-war", 1, len(REWRITES))).missed
