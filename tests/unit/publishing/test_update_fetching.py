"""A table's publisher fetches what the floor offers; a floor that lies gets nothing handed over."""

import asyncio
import json
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest
from update_link import CHUNK, FetchingTable, chunk_at, hasty, offer_of, play

from controller.messages.models import write
from controller.messages.update_models import LARGEST_BUNDLE, FetchRequest, UpdateChunk, UpdateOffer, VersionMessage
from controller.publishing import update_fetching
from controller.publishing.update_store import UpdateStore

BUNDLE = bytes(range(256)) * 20
"""Of six chunks, the last one shorter."""
RUNNING = {"version": "0.5.0", "slot": "A", "digest": "0" * 64}


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    hasty(monkeypatch.setattr)


def honest(request: FetchRequest) -> UpdateChunk:
    return chunk_at(BUNDLE, request)


def offers(offer: UpdateOffer) -> Callable[[FetchingTable], None]:
    return lambda table: table.offer(offer)


def reaches(stage: str) -> Callable[[FetchingTable], Awaitable[VersionMessage]]:
    return lambda table: table.until(stage)


def requests_of(chunks: int) -> Callable[[FetchingTable], Awaitable[None]]:
    """Until so many chunks were requested."""

    async def requested(table: FetchingTable) -> None:
        while len(table.requests) < chunks:
            await asyncio.sleep(0.001)

    return requested


def test_a_bundle_is_fetched_chunk_by_chunk_and_handed_over_whole(tmp_path: Path) -> None:
    table = FetchingTable(tmp_path, honest)
    table.system_says("running", **RUNNING)
    play(table, offers(offer_of(BUNDLE)), reaches("examined"))
    assert [request.offset for request in table.requests] == list(range(0, len(BUNDLE), CHUNK))
    assert table.handed_over.read_bytes() == BUNDLE
    assert not list((table.folder / "fetch").iterdir())
    last = table.reports[-1]
    assert (last.takes, last.running, last.slot, last.received) == (True, "0.5.0", "A", len(BUNDLE))


def test_nothing_is_said_to_a_floor_that_announces_nothing(tmp_path: Path) -> None:
    """A floor of an earlier version would refuse messages that it does not know."""
    table = FetchingTable(tmp_path, honest)
    play(table)
    assert (table.reports, table.requests) == ([], [])


def test_a_table_without_a_cards_image_says_that_it_takes_none(tmp_path: Path) -> None:
    table = FetchingTable(tmp_path, honest, image=False)
    play(table, offers(offer_of(BUNDLE)), reaches(""))
    assert table.reports == [VersionMessage(table="big-six-1", takes=False)]
    assert table.requests == []
    assert not table.folder.exists()


def test_it_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """As after a power cut, or a new connection."""

    def stops(request: FetchRequest) -> UpdateChunk | None:
        return honest(request) if request.offset < 3 * CHUNK else None

    table = FetchingTable(tmp_path, stops)

    play(table, offers(offer_of(BUNDLE)), requests_of(4))
    again = FetchingTable(tmp_path, honest)
    play(again, offers(offer_of(BUNDLE)), reaches("examined"))
    assert [request.offset for request in again.requests] == [3 * CHUNK, 4 * CHUNK, 5 * CHUNK]
    assert again.handed_over.read_bytes() == BUNDLE


def test_what_was_handed_over_or_runs_already_is_not_fetched_again(tmp_path: Path) -> None:
    table = FetchingTable(tmp_path, honest)
    play(table, offers(offer_of(BUNDLE)), reaches("examined"))
    table.handed_over.unlink()  # Root has taken it.
    again = FetchingTable(tmp_path, honest)
    play(again, offers(offer_of(BUNDLE)), reaches("examined"))
    assert again.requests == []
    runs = FetchingTable(tmp_path, honest)
    other = offer_of(b"another")
    runs.system_says("running", **{**RUNNING, "digest": other.digest})
    play(runs, offers(other), reaches("installed"))
    assert runs.requests == []


def test_an_offer_that_is_taken_back_is_deleted_and_root_takes_it_back(tmp_path: Path) -> None:
    table = FetchingTable(tmp_path, honest)
    play(table, offers(offer_of(BUNDLE)), reaches("examined"), offers(UpdateOffer(digest="")), reaches(""))
    assert [file.name for file in table.handed_over.parent.iterdir()] == ["withdrawn"]
    again = FetchingTable(tmp_path, honest)
    play(again, offers(offer_of(BUNDLE)), reaches("examined"))
    assert len(again.requests) == 6


def test_a_newer_offer_replaces_the_one_before(tmp_path: Path) -> None:
    newer = BUNDLE[::-1]
    table = FetchingTable(tmp_path, lambda request: chunk_at(content[request.digest], request))
    content = {offer_of(each).digest: each for each in (BUNDLE, newer)}

    async def replaced(table: FetchingTable) -> None:
        while (await table.until("examined")).digest != offer_of(newer).digest:
            await asyncio.sleep(0.001)

    play(table, offers(offer_of(BUNDLE)), reaches("examined"), offers(offer_of(newer)), replaced)
    assert table.handed_over.read_bytes() == newer
    assert (table.handed_over.parent / "withdrawn").exists()


@pytest.mark.parametrize(
    ("file", "document", "stage", "why"),
    [
        ("floor", {"state": "offered"}, "offered", ""),
        ("floor", {"state": "refused", "why": "it is older"}, "refused", "it is older"),
        ("confirmed", {}, "confirmed", ""),
        ("progress", {"state": "installing", "percent": 40}, "installing", ""),
        ("progress", {"state": "failed", "why": "no space"}, "failed", "no space"),
        ("running", {"version": "0.6.0", "slot": "B"}, "installed", ""),
    ],
)
def test_the_floor_learns_what_the_table_made_of_its_offer(
    tmp_path: Path, file: str, document: dict[str, object], stage: str, why: str
) -> None:
    table = FetchingTable(tmp_path, honest)
    offer = offer_of(BUNDLE)

    def says(table: FetchingTable) -> None:
        table.system_says(file, digest=offer.digest, **document)

    play(table, offers(offer), reaches("examined"), says, reaches(stage))
    assert (table.reports[-1].stage, table.reports[-1].why) == (stage, why)


# -- a floor, or a broker, that lies -------------------------------------------------------------------------------


def test_a_wrong_digest_is_thrown_away_said_and_not_fetched_for_ever(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    table = FetchingTable(tmp_path, honest)
    play(table, offers(offer_of(BUNDLE, digest="f" * 64)), reaches("failed"))
    assert "is not what the floor announced" in table.reports[-1].why
    assert "is not what the floor announced" in caplog.text
    assert not table.handed_over.exists()
    assert table.written() == 0
    assert len(table.requests) == 6 * update_fetching.MOST_TRIES


def test_chunks_that_nobody_requested_are_not_written(tmp_path: Path) -> None:
    def floods(request: FetchRequest) -> UpdateChunk:
        right = honest(request)
        other = chunk_at(bytes(len(BUNDLE)), request)
        for wrong in (
            other.model_copy(update={"offset": max(0, request.offset - CHUNK)}) if request.offset else b"",
            other.model_copy(update={"offset": 1 << 52}),
            other.model_copy(update={"digest": "e" * 64}),
            right.model_copy(update={"data": "A" * 2000}),
            right.model_copy(update={"data": ""}),
            right.model_copy(update={"data": "\u00e9%%%"}),
        ):
            table.send(wrong)
        for nothing in (b"", b"{}", b"\xff", b'{"offset": -1}', b"[" * 100_000):
            table.send(nothing)
        table.send(right)
        return other  # At the right place, but one was there already.

    table = FetchingTable(tmp_path, floods)
    play(table, offers(offer_of(BUNDLE)), reaches("examined"))
    assert table.handed_over.read_bytes() == BUNDLE


def test_an_endless_file_ends_at_the_size_that_was_announced(tmp_path: Path) -> None:
    table = FetchingTable(tmp_path, lambda request: chunk_at(bytes(100 * CHUNK), request))
    play(table, offers(offer_of(bytes(100 * CHUNK), size=2 * CHUNK)), reaches("failed"))
    assert max(request.offset for request in table.requests) == CHUNK
    assert table.written() == 0


@pytest.mark.parametrize("size", [0, LARGEST_BUNDLE + 1, (1 << 53) - 1])
def test_no_file_is_begun_for_a_size_that_no_bundle_has(tmp_path: Path, size: int) -> None:
    table = FetchingTable(tmp_path, honest)
    play(table, offers(offer_of(BUNDLE, size=size)), reaches("refused"))
    assert "no bundle of a table has more than" in table.reports[-1].why
    assert (table.requests, table.folder.exists()) == ([], False)


@pytest.mark.parametrize(
    "release", ["../../../../etc/cron.d/x", "/etc/passwd", "a\0b", "..", "-rf", "x" * 80, "\n{}"]
)
def test_what_the_floor_calls_its_version_is_no_path(tmp_path: Path, release: str) -> None:
    table = FetchingTable(tmp_path, honest)
    play(table, offers(offer_of(BUNDLE, release=release)), reaches("examined"))
    names = sorted(str(file.relative_to(tmp_path)) for file in tmp_path.rglob("*") if file.is_file())
    assert names == ["update/handed", "update/handover/table.raucb"]


@pytest.mark.parametrize("digest", ["../../etc/passwd", "A" * 64, "0" * 63, "0" * 64 + "\n"])
def test_a_digest_that_is_none_is_no_offer(tmp_path: Path, digest: str) -> None:
    table = FetchingTable(tmp_path, honest)
    table.offer(json.dumps({**offer_of(BUNDLE).model_dump(), "digest": digest}).encode())
    play(table)
    assert (table.reports, table.requests) == ([], [])


def test_a_full_data_partition_waits_with_a_sentence_and_keeps_the_records_reserve(tmp_path: Path) -> None:
    table = FetchingTable(tmp_path, honest, reserve_bytes=1 << 60)
    play(table, offers(offer_of(BUNDLE)), reaches("waiting"))
    assert "the data partition has no room" in table.reports[-1].why
    assert "are kept for the record" in table.reports[-1].why
    assert (table.requests, table.written()) == ([], 0)
    freed = FetchingTable(tmp_path, honest)
    play(freed, offers(offer_of(BUNDLE)), reaches("examined"))


def test_a_card_that_turns_read_only_waits_with_a_sentence_and_goes_on_afterwards(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = UpdateStore.append

    def fails(*_: object) -> None:
        raise OSError(30, "Read-only file system")

    table = FetchingTable(tmp_path, honest)
    monkeypatch.setattr(UpdateStore, "append", fails)

    def again(_: FetchingTable) -> None:
        monkeypatch.setattr(UpdateStore, "append", append)

    play(table, offers(offer_of(BUNDLE)), reaches("waiting"), again, reaches("examined"))
    assert any("Read-only file system" in report.why for report in table.reports)


def test_a_floor_that_offers_something_else_each_minute_does_not_wear_out_the_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update_fetching, "MOST_A_DAY", 4 * CHUNK)
    table = FetchingTable(tmp_path, honest)
    other = "d" * 64

    async def holds(table: FetchingTable) -> None:
        while (await table.until("waiting")).digest != other:
            await asyncio.sleep(0.001)

    play(table, offers(offer_of(BUNDLE)), reaches("waiting"), offers(offer_of(BUNDLE, digest=other)), holds)
    assert "were fetched today" in table.reports[-1].why
    assert [request.digest for request in table.requests] == [offer_of(BUNDLE).digest] * 4


def test_offers_that_come_faster_than_they_are_followed_do_not_queue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(update_fetching, "OFFERS_S", 3600.0)
    table = FetchingTable(tmp_path, lambda request: None)

    def flood(table: FetchingTable) -> None:
        for number in range(1000):
            table.offer(offer_of(BUNDLE, digest=f"{number:064x}"))

    async def stays(table: FetchingTable) -> None:
        for _ in range(100):
            await asyncio.sleep(0.001)

    play(table, offers(offer_of(BUNDLE)), requests_of(1), flood, stays)
    assert [request.digest for request in table.requests] == [offer_of(BUNDLE).digest]


def test_messages_have_room_in_what_the_broker_lets_through() -> None:
    largest = UpdateChunk(digest="a" * 64, offset=(1 << 53) - 1, data="A" * (160 * 1024 + 2) + "==")
    assert len(write(largest)) < 256 * 1024
