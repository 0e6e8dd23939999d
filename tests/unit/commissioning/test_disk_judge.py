"""The judge of a disk: cases, each with the verdict and the words by which a technician knows why."""

from pathlib import Path

import pytest

from controller.commissioning.disk.block_device import BlockDevice, DiskKind
from controller.commissioning.disk.endurance import (
    TableLoad,
    WrittenBytes,
    judge_endurance,
    judge_space,
    life_spans,
    span,
    years,
)
from controller.commissioning.disk.flush_times import FlushComparison, FlushTimes, flush_times
from controller.commissioning.disk.folder_qualification import judge_read
from controller.commissioning.disk.folder_trial import ReadBack
from controller.commissioning.disk.judge_flush import judge_flush, judge_times
from controller.commissioning.disk.judge_place import judge_disk, judge_mount, refusal
from controller.commissioning.disk.mounts import MountedFileSystem
from controller.commissioning.disk.thresholds import USUAL_TBW
from controller.commissioning.disk.verdict import DiskFinding, DiskGrade, verdict_of

FIT, RESERVATIONS, UNFIT = DiskGrade.FIT, DiskGrade.RESERVATIONS, DiskGrade.UNFIT
KINDS = tuple(DiskKind)


def mount(system: str = "ext4", options: str = "rw,relatime") -> MountedFileSystem:
    return MountedFileSystem(Path("/mnt"), system, frozenset(options.split(",")), "/dev/sda1", "8:1")


def a_disk(kind: DiskKind, cache: str = "write back", fua: bool | None = False) -> BlockDevice:
    return BlockDevice("sda", kind, write_cache=cache, fua=fua)


def worst(found: list[DiskFinding]) -> tuple[DiskGrade, str]:
    verdict = verdict_of(found)
    return verdict.grade, verdict.findings[0].reason if verdict.findings else ""


@pytest.mark.parametrize(
    ("system", "options", "grade", "words"),
    [
        ("ext4", "rw,relatime", FIT, ""),
        ("xfs", "rw", FIT, ""),
        ("ext4", "rw,nobarrier", UNFIT, "mounted with nobarrier: the disk is never told to flush"),
        ("ext4", "rw,barrier=0", UNFIT, "barrier=0"),
        ("f2fs", "rw,fsync_mode=nobarrier", UNFIT, "fsync_mode=nobarrier"),
        ("ext4", "rw,data=writeback", RESERVATIONS, "data=writeback"),
        ("ext4", "rw,data=writeback,nobarrier", UNFIT, "nobarrier"),
        ("vfat", "rw", UNFIT, "vfat keeps no journal of its own"),
        ("exfat", "rw", UNFIT, "exfat"),
        ("bcachefs", "rw", RESERVATIONS, "not known"),
    ],
)
def test_a_file_system_and_its_options(system: str, options: str, grade: DiskGrade, words: str) -> None:
    found, reason = worst(judge_mount(mount(system, options)))
    assert found is grade
    assert words in reason


@pytest.mark.parametrize(
    ("system", "words"),
    [
        ("tmpfs", "/mnt is tmpfs: it lies in memory and is gone with the power"),
        ("ramfs", "lies in memory"),
        ("overlay", "writes go to another layer"),
        ("squashfs", "keeps no files"),
        ("proc", "keeps no files"),
        ("nfs4", "lies on another computer"),
    ],
)
def test_a_place_that_outlasts_no_power_cut_is_refused_by_name(system: str, words: str) -> None:
    assert words in refusal(mount(system), None)


def test_memory_that_acts_as_a_disk_is_refused_too() -> None:
    assert "zram0, which is memory" in refusal(mount(), BlockDevice("zram0", DiskKind.MEMORY))
    assert refusal(mount(), a_disk(DiskKind.SD_CARD)) == ""


@pytest.mark.parametrize(
    ("kind", "flush_us", "write_us", "grade", "words"),
    [
        (DiskKind.SD_CARD, 2500, 4, FIT, ""),
        (DiskKind.SD_CARD, 101, 4, FIT, ""),
        (DiskKind.SD_CARD, 60, 4, UNFIT, "answers from a volatile cache"),
        (DiskKind.EMMC, 60, 4, UNFIT, "answers from a volatile cache"),
        (DiskKind.USB, 40, 4, UNFIT, "it does not flush: a flush returns after 40 µs"),
        (DiskKind.HARD_DISK, 9000, 4, FIT, ""),
        (DiskKind.HARD_DISK, 200, 4, RESERVATIONS, "sooner than a platter turns"),
        (DiskKind.NVME, 800, 4, FIT, ""),
        (DiskKind.NVME, 30, 4, RESERVATIONS, "capacitors"),
        (DiskKind.VIRTUAL, 60, 4, FIT, ""),
        *((kind, 11, 4, UNFIT, "nothing was waited for") for kind in KINDS),
    ],
)
def test_a_flush_that_is_too_fast(
    kind: DiskKind, flush_us: float, write_us: float, grade: DiskGrade, words: str
) -> None:
    found, reason = worst(judge_flush(FlushComparison(flush_us, write_us), a_disk(kind)))
    assert found is grade
    assert words in reason


def test_the_reasons_name_what_the_kernel_knows_of_the_cache() -> None:
    fast = FlushComparison(40, 4)
    through = judge_flush(fast, a_disk(DiskKind.USB, "write through"))[0].reason
    assert "write_cache is write through, so it sends no flush" in through
    assert "write_cache of sda is write back, without FUA" in judge_flush(fast, a_disk(DiskKind.USB))[0].reason
    assert judge_flush(fast, a_disk(DiskKind.USB, "", None))[0].reason.endswith("a volatile cache")
    assert judge_flush(FlushComparison(11, 4), None)[0].grade is UNFIT


def times(count: int = 12_000, p99: float = 8.0, worst_ms: float = 40.0, stalled: int = 0) -> FlushTimes:
    return FlushTimes(count, 2.0, p99, worst_ms, 0, stalled)


@pytest.mark.parametrize(
    ("measured", "grade", "words"),
    [
        (times(), FIT, ""),
        (times(p99=50.0), FIT, ""),
        (times(p99=51.0), RESERVATIONS, "one commit in a hundred takes 51 ms"),
        (times(p99=251.0, worst_ms=400, stalled=200), UNFIT, "250 ms is the limit"),
        (times(worst_ms=300.0, stalled=1), RESERVATIONS, "1 of 12000 commits took more than 250 ms"),
        (times(worst_ms=10_500.0, stalled=1), UNFIT, "10.5 s; systemd takes a table for hung"),
        (times(count=300), RESERVATIONS, "only 300 commits"),
    ],
)
def test_commits_that_take_long(measured: FlushTimes, grade: DiskGrade, words: str) -> None:
    found, reason = worst(judge_times(measured))
    assert found is grade
    assert words in reason


def test_one_stall_asks_for_a_longer_look_and_many_for_another_disk() -> None:
    assert "--seconds 3600" in judge_times(times(worst_ms=300, stalled=1))[0].remedy
    assert "faster card" in judge_times(times(worst_ms=300, stalled=2))[0].remedy


def test_the_distribution_of_commits() -> None:
    found = flush_times([1_000_000] * 98 + [60_000_000, 300_000_000])
    assert found == FlushTimes(100, 1.0, 60.0, 300.0, 2, 1)
    assert flush_times([7_000_000]) == FlushTimes(1, 7.0, 7.0, 7.0, 0, 0)
    assert (flush_times([50_000_000]).slow, flush_times([250_000_000]).stalled) == (0, 0)
    with pytest.raises(ValueError, match="nothing was measured"):
        flush_times([])


@pytest.mark.parametrize(
    ("read", "grade", "words"),
    [
        (ReadBack(900, 900, 600_000, 600_000), FIT, ""),
        (ReadBack(900, 900, None, 600_000), FIT, ""),
        (ReadBack(900, 900, 4096, 600_000), RESERVATIONS, "read from memory, not from the disk"),
        (ReadBack(17, 900, 600_000, 600_000, "entry 18 is not as it was"), UNFIT, "entry 18 is not as it was"),
    ],
)
def test_what_comes_back(read: ReadBack, grade: DiskGrade, words: str) -> None:
    found, reason = worst(judge_read(read))
    assert found is grade
    assert words in reason


def test_what_kind_of_disk_it_is() -> None:
    assert worst(judge_disk(a_disk(DiskKind.SD_CARD)))[0] is FIT
    assert worst(judge_disk(a_disk(DiskKind.VIRTUAL)))[0] is RESERVATIONS
    assert worst(judge_disk(None))[0] is RESERVATIONS


def test_the_worst_finding_makes_the_verdict_and_comes_first() -> None:
    reserved, unfit = DiskFinding(RESERVATIONS, "slow"), DiskFinding(UNFIT, "lies")
    assert verdict_of([reserved], [unfit]).findings == (unfit, reserved)
    assert verdict_of([reserved], [unfit]).grade is UNFIT
    assert verdict_of([], []).grade.words == "fit"


# -- endurance ---------------------------------------------------------------------------------------------------

LOAD = TableLoad(entries_a_round=10, rounds_a_day=1000)


def test_a_disk_lasts_until_its_terabytes_are_written() -> None:
    """10,000 entries a day of 20,000 bytes are 0.2 GB a day, 73.05 a year."""
    written = WrittenBytes(12_000, 20_000, 500)
    assert years(7.305, written, LOAD) == pytest.approx(100.0)
    assert [life.years for life in life_spans(0.7305, written, LOAD)] == [pytest.approx(10.0)]
    assert [life.tbw for life in life_spans(None, written, LOAD)] == [tbw for tbw, _ in USUAL_TBW]


def test_a_commit_wears_no_less_than_a_page_of_flash() -> None:
    assert WrittenBytes(4200, 5000, 500).worn == 16_384
    assert WrittenBytes(None, None, 500).worn == 16_384
    assert WrittenBytes(30_000, None, 500).worn == 30_000


@pytest.mark.parametrize(
    ("tbw", "grade"),
    [(None, FIT), (10.0, FIT), (0.4, FIT), (0.36, RESERVATIONS), (0.08, RESERVATIONS), (0.07, UNFIT)],
)
def test_a_disk_that_wears_out_early(tbw: float | None, grade: DiskGrade) -> None:
    assert worst(judge_endurance(tbw, WrittenBytes(None, 20_000, 500), LOAD))[0] is grade


def test_a_year_of_the_journal_has_room() -> None:
    """500 bytes, 10,000 a day: 1.83 GB a year."""
    written = WrittenBytes(None, None, 500)
    assert judge_space(2_000_000_000, written, LOAD) == []
    (short,) = judge_space(1_500_000_000, written, LOAD)
    assert (short.grade, "takes 1.8 GB" in short.reason) == (RESERVATIONS, True)


def test_spans_of_time_in_words() -> None:
    assert [span(number) for number in (0.42, 9.96, 12.4, 250)] == [
        "0.4 years",
        "10.0 years",
        "12 years",
        "more than 100 years",
    ]
