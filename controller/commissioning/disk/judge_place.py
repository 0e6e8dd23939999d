"""Judges a file system, how it is mounted, and the disk below it by what the kernel says of them. Pure."""

from controller.commissioning.disk.block_device import BlockDevice, DiskKind
from controller.commissioning.disk.mounts import MountedFileSystem
from controller.commissioning.disk.verdict import DiskFinding, DiskGrade

_IN_MEMORY = ("tmpfs", "ramfs", "devtmpfs", "hugetlbfs")
_LAYERED = ("overlay", "overlayfs", "aufs")
_READ_ONLY = ("squashfs", "iso9660", "erofs", "cramfs")
_OF_THE_KERNEL = ("proc", "sysfs", "devpts", "cgroup", "cgroup2", "debugfs", "tracefs", "securityfs", "configfs")
_ELSEWHERE = ("nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "virtiofs", "sshfs", "fuse.sshfs", "afs", "glusterfs")
_WITHOUT_JOURNAL = ("vfat", "msdos", "exfat", "ntfs", "ntfs3", "fuseblk", "hfsplus", "ext2")
_PROVEN = ("ext4",)
_SOUND = ("ext3", "xfs", "btrfs", "f2fs")
_NO_FLUSH = ("nobarrier", "barrier=0", "barrier=none", "fsync_mode=nobarrier")
_WEAKER = {
    "data=writeback": "after a power cut files may hold what others had left there",
    "journal_async_commit": "the file system's own journal is written without waiting for its parts",
}
_EXT4 = "make an ext4 file system on it (mkfs.ext4) and name its folder"


def refusal(mount: MountedFileSystem, disk: BlockDevice | None) -> str:
    """Why nothing that is written here can outlast a power cut; empty if it can."""
    system = mount.file_system
    where = f"{mount.point} is {system}"
    if system in _IN_MEMORY:
        return f"{where}: it lies in memory and is gone with the power; name a folder on a card, stick or disk"
    if system in _LAYERED:
        return (
            f"{where}: writes go to another layer, as a rule in memory, and are gone with the power; "
            "switch the read-only system off (raspi-config), or name a folder on a file system of its own"
        )
    if system in _READ_ONLY or system in _OF_THE_KERNEL:
        return f"{where}, which keeps no files; name a folder on a card, stick or disk"
    if system in _ELSEWHERE:
        return (
            f"{where}: it lies on another computer, and a journal's locks and flushes do not reach there; "
            "name a folder on a card, stick or disk of this computer"
        )
    if disk is not None and disk.kind is DiskKind.MEMORY:
        return f"{mount.point} lies on {disk.name}, which is memory; name a folder on a card, stick or disk"
    return ""


def judge_mount(mount: MountedFileSystem) -> list[DiskFinding]:
    """What the file system and its options promise."""
    found: list[DiskFinding] = []
    system = mount.file_system
    if system in _WITHOUT_JOURNAL:
        reason = f"{system} keeps no journal of its own: a power cut may leave its folders damaged"
        found.append(DiskFinding(DiskGrade.UNFIT, reason, _EXT4))
    elif system not in _PROVEN and system not in _SOUND:
        reason = f"whether {system} keeps its promises at a power cut is not known"
        found.append(DiskFinding(DiskGrade.RESERVATIONS, reason, f"{_EXT4}, or try power cuts (--until-cut)"))
    for option in sorted(mount.options.intersection(_NO_FLUSH)):
        reason = f"{mount.point} is mounted with {option}: the disk is never told to flush"
        found.append(DiskFinding(DiskGrade.UNFIT, reason, f"take {option} out of /etc/fstab and mount it again"))
    for option in sorted(mount.options.intersection(_WEAKER)):
        reason = f"{mount.point} is mounted with {option}: {_WEAKER[option]}"
        found.append(
            DiskFinding(DiskGrade.RESERVATIONS, reason, f"take {option} out of /etc/fstab and mount it again")
        )
    return found


def judge_disk(disk: BlockDevice | None) -> list[DiskFinding]:
    """What kind of disk it is."""
    if disk is None:
        reason = "the kernel does not say on which disk the folder lies"
        return [DiskFinding(DiskGrade.RESERVATIONS, reason, "try power cuts (--until-cut)")]
    if disk.kind is DiskKind.VIRTUAL:
        reason = f"{disk.name} is a virtual disk: what a flush does is decided by the computer that provides it"
        return [DiskFinding(DiskGrade.RESERVATIONS, reason, "try a power cut of that computer (--until-cut)")]
    return []
