"""The file of receipts: what was added is there after a power cut, and a torn last line is dropped."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from signed_record import Keys, some_entries

from config.schema import SigningSection
from controller.signing.keys import SigningError
from controller.signing.receipts import RECEIPTS, Receipt, SignedRecord, append, read_receipts


@pytest.mark.parametrize("cut", [0, 1, 2, 30, 200])
def test_what_was_added_is_read_and_a_torn_line_is_none(cut: int, keys: Keys, tmp_path: Path) -> None:
    entries, file = some_entries(5), tmp_path / "receipts.jsonl"
    added = [keys.receipt(entries, 1), keys.receipt(entries, 2), keys.head(entries, 3)]
    for one in added[:2]:
        append(file, one)
    os.truncate(file, file.stat().st_size - cut)
    append(file, added[2])
    assert read_receipts(file) == ([added[0], added[2]], 1) if cut > 1 else (added, 0)


def test_a_publisher_keeps_what_the_floor_signed_with_its_own_signature(
    keys: Keys, caplog: pytest.LogCaptureFixture
) -> None:
    entries = some_entries(3)
    section = SigningSection(key=str(keys.table_file), floor_key=str(keys.floor_public))
    signed, of = SignedRecord("sic-bo-1", section), (entries[0].hash, 3, entries[2].hash)
    signature, receipt = signed.sign(*of), keys.receipt(entries, 3)
    assert signature == receipt.head
    signed.receive(*of, signature)
    assert "the floor's receipt is not signed with its key" in caplog.text
    for _ in range(2):
        signed.receive(*of, receipt.receipt)
    earlier = keys.receipt(entries, 2)
    signed.receive(*earlier[1:4], earlier.receipt)
    kept, _ = read_receipts(keys.table_file.with_name(RECEIPTS))
    assert kept == [receipt, earlier._replace(head=None)]


def test_what_the_broker_retains_is_a_receipt(keys: Keys, tmp_path: Path) -> None:
    """As ``mosquitto_sub -t floor/TABLE/have -C 1`` prints it."""
    whole = keys.receipt(some_entries(3), 3)
    have = {"format": 1, "record": whole.record, "seq": 3, "hash": whole.hash, "signature": whole.receipt}
    (tmp_path / "have.json").write_text(json.dumps(have) + "\n")
    assert read_receipts(tmp_path / "have.json") == ([whole._replace(table="", head=None)], 0)


RIGHT, NONSENSE = (
    b'{"record":"a","seq":1,"hash":"b"}',
    (
        b"[1]",
        b'{"record":"a","seq":true,"hash":"b"}',
        b'{"record":"a","seq":0,"hash":"b"}',
        b'{"record":1,"seq":1,"hash":"b"}',
        b'{"record":"a","seq":1,"hash":"b","receipt":7}',
        b'{"record":"a","seq":1}',
        b"[" * 100_000,
        b'{"record":"a","seq":' + b"9" * 5_000 + b',"hash":"b"}',
    ),
)


@example([RIGHT, *NONSENSE])
@given(st.lists(st.one_of(st.binary(max_size=80), st.just(RIGHT)), max_size=6))
def test_any_file_is_read_and_what_is_no_receipt_is_counted(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes]
) -> None:
    file = tmp_path_factory.getbasetemp() / "any.jsonl"
    file.write_bytes(b"\n".join(lines))
    read, ignored = read_receipts(file)
    assert read == [Receipt("", "a", 1, "b")] * lines.count(RIGHT)
    assert len(read) + ignored == len(file.read_bytes().splitlines(keepends=True)) or b"\r" in file.read_bytes()


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("nowhere", "pipe"):
        with pytest.raises(SigningError, match=f"{name}: there is no file of receipts here"):
            read_receipts(tmp_path / name)
