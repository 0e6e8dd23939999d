"""What ``qualify-disk`` prints: of the measurements, and of the verdict."""

from dataclasses import asdict

from controller.commands.columns import columns
from controller.commissioning.disk.endurance import (
    TableLoad,
    WrittenBytes,
    life_spans,
    span,
    year_of_journal_bytes,
)
from controller.commissioning.disk.flush_times import FlushComparison, FlushTimes
from controller.commissioning.disk.folder_qualification import FolderMeasurements
from controller.commissioning.disk.folder_trial import ReadBack
from controller.commissioning.disk.thresholds import SLOW_MS, STALL_MS
from controller.commissioning.disk.verdict import DiskGrade, DiskVerdict

_NOT_SHOWN = "not shown by this: whether what was flushed is there after a power cut (--until-cut, --after-cut)"


def folder_text(found: FolderMeasurements, verdict: DiskVerdict, load: TableLoad, tbw: float | None) -> str:
    """All of it, for people."""
    place = found.place
    disk = place.disk.title if place.disk is not None else "a disk that the kernel does not name"
    lines = [
        f"{place.folder}: {place.mount.file_system} on {disk}",
        times_text(found.times),
        _flush_text(found.comparison),
        _read_text(found.read),
        *_wear(found.written, load, tbw),
        "",
        verdict_text(verdict),
    ]
    if verdict.grade is not DiskGrade.UNFIT:
        lines.append(_NOT_SHOWN)
    return "\n".join(lines)


def times_text(times: FlushTimes) -> str:
    """``12000 commits: p50 2.1 ms ...``."""
    return (
        f"{times.count} commits: p50 {times.p50_ms:.2f} ms, p99 {times.p99_ms:.2f} ms, "
        f"longest {times.worst_ms:.1f} ms; "
        f"{times.slow} over {SLOW_MS:.0f} ms, {times.stalled} over {STALL_MS:.0f} ms"
    )


def verdict_text(verdict: DiskVerdict) -> str:
    """The verdict, then each reason with its remedy."""
    lines = [f"verdict: {verdict.grade.words}"]
    for number, finding in enumerate(verdict.findings, 1):
        lines.append(f"{number}. {finding.grade.words}: {finding.reason}")
        if finding.remedy:
            lines.append(f"   -> {finding.remedy}")
    return "\n".join(lines)


def _flush_text(comparison: FlushComparison) -> str:
    return f"a page with a flush: {comparison.with_flush_us:.0f} µs; without: {comparison.without_us:.0f} µs"


def _read_text(read: ReadBack) -> str:
    source = "" if read.from_disk_bytes is None else f"; {read.from_disk_bytes / 1e6:.1f} MB came from the disk"
    return f"read back: {read.entries} of {read.written} entries as they were written{source}"


def _wear(written: WrittenBytes, load: TableLoad, tbw: float | None) -> list[str]:
    counted = [
        f"{count / 1000:.1f} kB {by}"
        for count, by in (
            (written.by_process, "by the journal"),
            (written.by_disk, "by all that write to the disk"),
        )
        if count is not None
    ]
    rows = [(f"{life.tbw:g}", life.what, span(life.years)) for life in life_spans(tbw, written, load)]
    return [
        f"written for an entry: {', '.join(counted) or 'not counted by the kernel'}; "
        f"{written.worn / 1000:.1f} kB taken for the wear",
        f"{load.entries_a_round} entries a round, {load.rounds_a_day} rounds a day: "
        f"a year of the journal takes {year_of_journal_bytes(written, load) / 1e9:.1f} GB",
        "",
        columns(("TBW", "of", "lasts"), rows, frozenset({0})),
    ]


def folder_data(
    found: FolderMeasurements, verdict: DiskVerdict, load: TableLoad, tbw: float | None
) -> dict[str, object]:
    """All of it, for programs."""
    place = found.place
    disk = None if place.disk is None else {**asdict(place.disk), "kind": place.disk.kind.value}
    return {
        "folder": str(place.folder),
        "file_system": place.mount.file_system,
        "options": sorted(place.mount.options),
        "disk": disk,
        "commits": asdict(found.times),
        "flush": asdict(found.comparison),
        "read_back": asdict(found.read),
        "written_bytes_an_entry": {**asdict(found.written), "worn": found.written.worn},
        "free_bytes": found.free_bytes,
        "load": {**asdict(load), "journal_bytes_a_year": round(year_of_journal_bytes(found.written, load))},
        "endurance": [asdict(life) for life in life_spans(tbw, found.written, load)],
        **verdict_data(verdict),
    }


def verdict_data(verdict: DiskVerdict) -> dict[str, object]:
    """The verdict and its reasons."""
    reasons = [
        {"grade": finding.grade.words, "reason": finding.reason, "remedy": finding.remedy}
        for finding in verdict.findings
    ]
    return {"verdict": verdict.grade.words, "reasons": reasons}
