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
from witness_server import ServedHere

from config.signing import TimestampSection
from controller.commands.cli import main
from controller.transparency.checkpoint import Checkpoint
from controller.transparency.note import NoteError, SignedNote
from controller.web.http import Response
from controller.witnessing.client import WitnessRefusedError
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


def test_the_newest_checkpoint_is_stamped_once_a_day(record: SignedRecord, authority: StampingAuthority) -> None:
    newest: list[Checkpoint | None] = [None]
    stamps = stamper(record, authority, newest)
    assert not asyncio.run(stamps.stamp_if_due(NOW_S))
    newest[0] = checkpoint_at(record, 0)
    assert asyncio.run(stamps.stamp_if_due(NOW_S))
    newest[0] = checkpoint_at(record, 2)
    assert not asyncio.run(stamps.stamp_if_due(NOW_S + 23 * 3600))
    assert asyncio.run(stamps.stamp_if_due(NOW_S + 24 * 3600))
    assert not asyncio.run(stamps.stamp_if_due(NOW_S + 72 * 3600))  # Nothing was played since.
    newest[0] = checkpoint_at(record, 3)
    assert asyncio.run(stamps.stamp_if_due(NOW_S - 3600))  # The clock was set back: it is stamped all the same.
    assert authority.requests == 3


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


@pytest.mark.parametrize(
    "answer", [Response(200, b""), Response(200, b"0\x82"), Response(200, b"x" * 60_000), Response(503)]
)
@pytest.mark.campaign
def test_an_authority_that_answers_nonsense_is_named(
    record: SignedRecord, authority: StampingAuthority, answer: Response
) -> None:
    with ServedHere(lambda request: answer) as server:
        section = TimestampSection(url=server.url, certificate=str(authority.certificate))
        with pytest.raises((NoteError, WitnessRefusedError)):
            asyncio.run(Stamper(section, record.kept, lambda: checkpoint_at(record, 0)).stamp_if_due(NOW_S))
