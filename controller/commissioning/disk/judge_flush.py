"""Judges whether a disk flushes, and how long that takes. Pure."""

from controller.commissioning.disk.block_device import BlockDevice, DiskKind
from controller.commissioning.disk.flush_times import FlushComparison, FlushTimes
from controller.commissioning.disk.thresholds import (
    CARD_FLUSH_US,
    ENOUGH_COMMITS,
    HALT_MS,
    HARD_DISK_FLUSH_US,
    MEMORY_RATIO,
    SLOW_MS,
    STALL_MS,
    STALLS_ALLOWED,
)
from controller.commissioning.disk.verdict import DiskFinding, DiskGrade

_CARDS = (DiskKind.SD_CARD, DiskKind.EMMC, DiskKind.USB)
_PULL = "pull the plug on it: --until-cut, then --after-cut"
_OTHER_DISK = "take another card, stick or disk"
_SLOWER_HERE = "take a faster card or disk, or leave this one to the journal alone"


def judge_flush(comparison: FlushComparison, disk: BlockDevice | None) -> list[DiskFinding]:
    """Whether a flush goes as far as what keeps its data without power."""
    took = f"a flush returns after {comparison.with_flush_us:.0f} µs"
    if comparison.with_flush_us < MEMORY_RATIO * comparison.without_us:
        reason = (
            f"it does not flush: {took}, a write without one after {comparison.without_us:.0f} µs, "
            f"so that nothing was waited for{_cache(disk)}"
        )
        return [DiskFinding(DiskGrade.UNFIT, reason, _OTHER_DISK)]
    return [] if disk is None else judge_speed(comparison.with_flush_us, disk)


def judge_speed(flush_us: float, disk: BlockDevice) -> list[DiskFinding]:
    """Flushes that return sooner than this kind of disk can have kept anything."""
    took = f"a flush returns after {flush_us:.0f} µs"
    if disk.kind in _CARDS and flush_us < CARD_FLUSH_US:
        reason = (
            f"it does not flush: {took}, but the flash of a {disk.kind.value} needs more than "
            f"{CARD_FLUSH_US:.0f} µs for a page, so it answers from a volatile cache{_cache(disk)}"
        )
        return [DiskFinding(DiskGrade.UNFIT, reason, _OTHER_DISK)]
    if disk.kind is DiskKind.HARD_DISK and flush_us < HARD_DISK_FLUSH_US:
        reason = (
            f"{took}, sooner than a platter turns: it answers from a cache{_cache(disk)}; "
            "only a controller with a battery may do so"
        )
        return [DiskFinding(DiskGrade.RESERVATIONS, reason, _PULL)]
    if disk.kind in (DiskKind.SSD, DiskKind.NVME) and flush_us < CARD_FLUSH_US:
        reason = (
            f"{took}: only an SSD with capacitors (power-loss protection in its data sheet) "
            f"may answer so soon{_cache(disk)}"
        )
        return [DiskFinding(DiskGrade.RESERVATIONS, reason, f"look it up, or {_PULL}")]
    return []


def _cache(disk: BlockDevice | None) -> str:
    """What the kernel knows of the disk's cache."""
    if disk is None or not disk.write_cache:
        return ""
    if disk.write_cache == "write through":
        return f" (the kernel takes {disk.name} to have none: write_cache is write through, so it sends no flush)"
    fua = {True: ", with FUA", False: ", without FUA", None: ""}[disk.fua]
    return f" (write_cache of {disk.name} is {disk.write_cache}{fua})"


def judge_times(times: FlushTimes) -> list[DiskFinding]:
    """Whether a dealer, a wheel and systemd can wait for these commits."""
    found: list[DiskFinding] = []
    if times.worst_ms > HALT_MS:
        reason = f"one commit took {times.worst_ms / 1000:.1f} s; systemd takes a table for hung after 20 s"
        found.append(DiskFinding(DiskGrade.UNFIT, reason, _OTHER_DISK))
    if times.p99_ms > STALL_MS:
        reason = f"one commit in a hundred takes {times.p99_ms:.0f} ms or more ({STALL_MS:.0f} ms is the limit)"
        found.append(DiskFinding(DiskGrade.UNFIT, reason, _OTHER_DISK))
    elif times.p99_ms > SLOW_MS:
        reason = f"one commit in a hundred takes {times.p99_ms:.0f} ms or more: keys are felt to be late"
        found.append(DiskFinding(DiskGrade.RESERVATIONS, reason, _SLOWER_HERE))
    if times.p99_ms <= STALL_MS and times.stalled:
        often = times.stalled > max(1, STALLS_ALLOWED * times.count)
        reason = (
            f"{times.stalled} of {times.count} commits took more than {STALL_MS:.0f} ms, "
            f"the longest {times.worst_ms:.0f} ms: an honest spin may be void for it"
        )
        rare = "measure longer (--seconds 3600) while nothing else writes"
        found.append(DiskFinding(DiskGrade.RESERVATIONS, reason, _SLOWER_HERE if often else rare))
    if times.count < ENOUGH_COMMITS:
        reason = f"only {times.count} commits were measured; {ENOUGH_COMMITS} say how long the slowest take"
        found.append(DiskFinding(DiskGrade.RESERVATIONS, reason, "measure longer (--seconds)"))
    return found
