"""What the kernel says of disks and mounts, read from trees like its own."""

from pathlib import Path

import pytest
from disk_places import CARD, disk, linked, mount_line, partition

from controller.commissioning.disk.block_device import BlockDevices, DiskKind
from controller.commissioning.disk.mounts import mount_of, mounted


def test_a_partition_of_a_card_is_read_as_the_card(tmp_path: Path) -> None:
    partition(tmp_path, disk(tmp_path, "mmcblk0", "179:0", CARD), "mmcblk0p2", "179:2")
    devices = BlockDevices(tmp_path)
    found = devices.disk_of("179:2")
    assert found is not None
    assert found.title == "mmcblk0 (SD card, SC32G, 31.9 GB)"
    assert (found.write_cache, found.fua, found.rotational) == ("write through", False, False)
    assert devices.partition_of("179:2") == "mmcblk0"
    assert devices.partition_of("179:0") == ""
    assert devices.written_bytes("179:2") == 32 * 512
    assert list(devices.numbers_on("179:0")) == ["179:0", "179:2"]
    assert devices.disk_of("8:0") is None
    assert devices.written_bytes("8:0") is None


@pytest.mark.parametrize(
    ("name", "files", "bus", "kind"),
    [
        ("mmcblk0", {"device/type": "SD"}, "mmc", DiskKind.SD_CARD),
        ("mmcblk1", {"device/type": "MMC"}, "mmc", DiskKind.EMMC),
        ("sda", {"queue/rotational": "1"}, "pci0/usb1/1-1", DiskKind.USB),
        ("sda", {"queue/rotational": "1"}, "pci0/ata1", DiskKind.HARD_DISK),
        ("sda", {"queue/rotational": "0"}, "pci0/ata1", DiskKind.SSD),
        ("nvme0n1", {}, "pci0", DiskKind.NVME),
        ("vda", {}, "virtio", DiskKind.VIRTUAL),
        ("loop0", {}, "virtual", DiskKind.VIRTUAL),
        ("zram0", {}, "virtual", DiskKind.MEMORY),
        ("fd0", {}, "platform", DiskKind.OTHER),
    ],
)
def test_the_kind_of_a_disk(tmp_path: Path, name: str, files: dict[str, str], bus: str, kind: DiskKind) -> None:
    disk(tmp_path, name, "8:0", files, bus)
    found = BlockDevices(tmp_path).disk_of("8:0")
    assert found is not None
    assert found.kind is kind


def test_what_is_made_of_a_disk_is_judged_as_that_disk(tmp_path: Path) -> None:
    """An encrypted root: a mapped device on a partition of a card."""
    part = partition(tmp_path, disk(tmp_path, "mmcblk0", "179:0", CARD), "mmcblk0p2", "179:2")
    mapped = tmp_path / "devices/virtual/block/dm-0"
    (mapped / "slaves").mkdir(parents=True)
    (mapped / "slaves" / "mmcblk0p2").symlink_to(part)
    (mapped / "dev").write_text("254:0\n")
    (part / "holders").mkdir()
    (part / "holders" / "dm-0").symlink_to(mapped)
    linked(tmp_path, "254:0", mapped)
    found = BlockDevices(tmp_path).disk_of("254:0")
    assert found is not None
    assert found.name == "mmcblk0"
    assert list(BlockDevices(tmp_path).numbers_on("179:0")) == ["179:0", "179:2", "254:0"]


def test_a_folder_lies_on_the_longest_and_latest_mount_that_leads_to_it() -> None:
    lines = [
        mount_line("/", "ext4"),
        mount_line("/var/lib", "xfs"),
        mount_line("/var/lib", "btrfs"),
        mount_line("/var/libel", "vfat"),
        mount_line("/mnt/my card", "f2fs", "rw,barrier=0"),
        "not a line\n",
    ]
    for folder, system in (
        ("/var/lib/table", "btrfs"),
        ("/var/lib", "btrfs"),
        ("/var", "ext4"),
        ("/mnt/my card/a", "f2fs"),
    ):
        found = mount_of(Path(folder), mounted("".join(lines)))
        assert found is not None
        assert found.file_system == system
    assert mount_of(Path("/"), mounted("")) is None
