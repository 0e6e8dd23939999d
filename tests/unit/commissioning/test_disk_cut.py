"""What a power cut leaves of the records: lost, reordered, torn and corrupted ones are found, none is invented."""

import random
from itertools import islice

import pytest
from campaigns.disk import Disk, crashes
from campaigns.writes import Call
from cut_disk import honest, image, lying, sectors

from controller.commissioning.disk.cut_records import (
    RECORD_BYTES,
    RUN_BYTES,
    SECTOR_BYTES,
    RecordState,
    records,
    run_of,
    state_of,
)
from controller.commissioning.disk.judge_cut import ENOUGH_RECORDS, CutLosses, judge_cut, losses_of, stretches
from controller.commissioning.disk.verdict import DiskGrade

RUN = bytes(range(RUN_BYTES))
FEW = list(islice(records(RUN), 6))
INTACT, MISSING, TORN, CORRUPTED = RecordState


def read(file: bytes, acknowledged: int | None) -> CutLosses:
    found = [file[at : at + RECORD_BYTES] for at in range(0, len(file), RECORD_BYTES)]
    return losses_of([state_of(*pair) for pair in zip(found, records(RUN), strict=False)], acknowledged)


def bad(losses: CutLosses) -> set[int]:
    return {*losses.lost, *losses.reordered, *losses.torn, *losses.corrupted}


def test_a_disk_that_keeps_to_its_flushes_is_never_accused() -> None:
    """The negative control: every cut, whatever became of the record that was being written."""
    cases = list(honest(FEW))
    assert len(cases) > 100
    for acknowledged, file in cases:
        assert bad(read(file, acknowledged)) == set()
        assert bad(read(file, None)) == set()


def test_a_disk_that_lies_about_its_flushes_is_found_whatever_it_kept() -> None:
    """All six acknowledged, each selection of them kept: just the others are named."""
    for kept, file in lying(FEW):
        losses = read(file, 6)
        assert bad(losses) == {1, 2, 3, 4, 5, 6} - kept
        assert set(losses.reordered) == {
            number for number in {1, 2, 3, 4, 5, 6} - kept if number < max(kept, default=0)
        }
        assert judge_cut(losses).grade is DiskGrade.UNFIT


def test_without_a_partner_what_is_missing_before_a_later_record_is_found_all_the_same() -> None:
    for kept, file in lying(FEW):
        last = max(kept, default=0)
        assert bad(read(file, None)) == set(range(1, last + 1)) - kept


def test_a_record_that_is_there_in_part_is_torn() -> None:
    for number in range(1, 7):
        for k in range(1, RECORD_BYTES // SECTOR_BYTES):
            writes = [(i * RECORD_BYTES, record) for i, record in enumerate(FEW)]
            writes[number - 1 : number] = sectors(writes[number - 1])[:k]
            losses = read(image(writes), 6)
            assert bad(losses) == {number}
            assert (losses.torn if number == 6 else losses.reordered) == (number,)


@pytest.mark.parametrize("number", [1, 3, 6])
def test_any_byte_that_changed_is_corruption(number: int) -> None:
    rng = random.Random(number)
    for _ in range(200):
        file = bytearray(image([(i * RECORD_BYTES, record) for i, record in enumerate(FEW)]))
        at = (number - 1) * RECORD_BYTES + rng.randrange(RECORD_BYTES)
        file[at] ^= 1 << rng.randrange(8)
        assert read(bytes(file), 6).corrupted == (number,)


def test_a_record_in_the_place_of_another_is_corruption() -> None:
    file = image([(0, FEW[0]), (RECORD_BYTES, FEW[2]), (2 * RECORD_BYTES, FEW[2])])
    assert read(file, 3).corrupted == (2,)
    other = next(records(bytes(RUN_BYTES)))
    assert read(image([(0, other), (RECORD_BYTES, FEW[1])]), 2).corrupted == (1,), "of another run"


def a_log(flushed: bool) -> tuple[Disk, int]:
    """A disk as the campaign of power cuts knows it, at the moment of the cut, and how many were acknowledged."""
    disk = Disk()
    disk.take(Call("create", "records"))
    disk.take(Call("sync", ""))
    for k, record in enumerate(FEW):
        disk.take(Call("write", "records", k * RECORD_BYTES, record))
        if flushed and k < 5:
            disk.take(Call("sync", "records"))
    return disk, 5


@pytest.mark.parametrize("flushed", [True, False])
def test_the_crash_campaigns_disk_is_judged_as_what_it_is(flushed: bool) -> None:
    disk, acknowledged = a_log(flushed)
    lost = 0
    for kept in crashes(disk.pending, random.Random(1), samples=300):
        file = disk.after(kept)["records"]
        there = [file[k * RECORD_BYTES : (k + 1) * RECORD_BYTES] == FEW[k] for k in range(acknowledged)]
        missing = {k + 1 for k, whole in enumerate(there) if not whole}
        assert bad(read(file, acknowledged)) == missing
        lost += bool(missing)
    assert (lost == 0) is flushed


@pytest.mark.parametrize(
    ("losses", "grade", "words"),
    [
        (CutLosses(1000, 1000, 1000), DiskGrade.FIT, ""),
        (CutLosses(1000, 999, None), DiskGrade.RESERVATIONS, "records missing at its end do not"),
        (
            CutLosses(20, 20, 20),
            DiskGrade.RESERVATIONS,
            f"only 20 records were flushed before the cut, and {ENOUGH_RECORDS}",
        ),
        (
            CutLosses(900, 1000, 1000, lost=tuple(range(901, 1001))),
            DiskGrade.UNFIT,
            "acknowledged and lost: 100 records, 901 to 1000",
        ),
        (CutLosses(9, 8, None, reordered=(3,)), DiskGrade.UNFIT, "later ones are there: record 3"),
        (CutLosses(9, 9, 9, torn=(9,)), DiskGrade.UNFIT, "in part: record 9"),
        (CutLosses(9, 9, 9, corrupted=(2, 4)), DiskGrade.UNFIT, "2 records, 2, 4"),
    ],
)
def test_the_verdict_on_a_cut(losses: CutLosses, grade: DiskGrade, words: str) -> None:
    verdict = judge_cut(losses)
    assert verdict.grade is grade
    assert words in "".join(finding.reason for finding in verdict.findings[:1])


def test_states_of_a_record() -> None:
    record = FEW[0]
    assert state_of(record, record) is INTACT
    assert state_of(b"", record) is MISSING
    assert state_of(bytes(RECORD_BYTES), record) is MISSING
    assert state_of(record[:1000], record) is TORN
    assert state_of(b"x" * RECORD_BYTES, record) is CORRUPTED
    assert run_of(record) == RUN
    assert run_of(record[:-1] + b"x") is None
    assert run_of(b"") is None
    assert run_of(bytes(RECORD_BYTES)) is None


def test_stretches_of_numbers() -> None:
    assert stretches((3, 4, 5, 9)) == "3 to 5, 9"
    assert stretches(tuple(range(1, 40, 2))) == "1, 3, 5, 7, 9, …"
