"""A sample of the campaign of damage: it is named, or nothing is missing; and the defect that it must find."""

from pathlib import Path

import pytest
from campaigns.damage_campaign import campaign

from controller.journal.head_anchor import HeadAnchor


def test_no_damage_is_silent(tmp_path: Path) -> None:
    tally = campaign(80, 1, tmp_path)
    assert tally.silent == []
    assert {found for _, found in tally.counted} == {"named", "harmless"}


def test_a_head_that_is_written_only_where_a_round_opens_is_not_enough(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    note = HeadAnchor.note
    monkeypatch.setattr(
        HeadAnchor, "note", lambda anchor, seq, digest: note(anchor, 1, digest) if seq == 1 else None
    )
    assert campaign(80, 1, tmp_path).silent
