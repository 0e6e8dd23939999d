"""Checkpoints are stamped by an authority once a day, and an audit verifies that (RFC 3161)."""

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest
from campaigns.signed_record import SignedRecord
from signed_tables import signed_table
from timestamp_authority import StampingAuthority

from config.signing import TimestampSection
from controller.commands.cli import main
from controller.transparency.checkpoint import Checkpoint
from controller.transparency.note import NoteError, SignedNote
from controller.witnessing.stamping import Stamper

NOW_S = 1_800_000_000.0


@pytest.fixture
def record(tmp_path: Path) -> Iterator[SignedRecord]:
    made = signed_table(tmp_path)
    yield made
    made.close()


@pytest.fixture
def authority(tmp_path: Path) -> Iterator[StampingAuthority]:
    made = StampingAuthority(tmp_path / "tsa")
    with made.served:
        yield made


def checkpoint_at(record: SignedRecord, place: int) -> Checkpoint:
    kept = list(record.kept.of(record.kept.origins()[0]))[place]
    return Checkpoint.parse(SignedNote.parse(kept.note).text)


def stamper(record: SignedRecord, authority: StampingAuthority, newest: list[Checkpoint | None]) -> Stamper:
    section = TimestampSection(
        url=authority.served.url, certificate=str(authority.certificate), every_h=Decimal(24)
    )
    return Stamper(section, record.kept, lambda: newest[0])


def test_an_audit_verifies_the_timestamps(
    record: SignedRecord, authority: StampingAuthority, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = datetime.now(UTC)
    stamped = checkpoint_at(record, 2)
    asyncio.run(stamper(record, authority, [stamped]).stamp_if_due(NOW_S))
    folder = record.export(tmp_path / "evidence")
    words = record.audit_words(folder, ["--tsa-certificate", str(authority.certificate)])
    assert main(words) == 0
    assert f"stamped up to entry {stamped.size}, at {before.astimezone():%Y-%m-%d}" in capsys.readouterr().out

    text = (folder / "timestamps.jsonl").read_text()
    (folder / "timestamps.jsonl").write_text(text.replace(f'"size": {stamped.size}', f'"size": {stamped.size - 1}'))
    assert main(words) == 1
    assert "is of no checkpoint that is here" in capsys.readouterr().err
    other = checkpoint_at(record, 1)
    (folder / "timestamps.jsonl").write_text(text.replace(f'"size": {stamped.size}', f'"size": {other.size}'))
    assert main(words) == 1
    assert "not this authority's, or of another checkpoint" in capsys.readouterr().err


def test_another_authoritys_timestamp_is_refused(
    record: SignedRecord, authority: StampingAuthority, tmp_path: Path
) -> None:
    stranger = StampingAuthority(tmp_path / "stranger")
    section = TimestampSection(url=authority.served.url, certificate=str(stranger.certificate))
    with pytest.raises(NoteError, match="not this authority's"):
        asyncio.run(Stamper(section, record.kept, lambda: checkpoint_at(record, 0)).stamp_if_due(NOW_S))
