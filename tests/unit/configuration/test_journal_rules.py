"""A journal in memory or on an overlay is refused at its line, wherever it is mounted and whatever leads to it."""

from pathlib import Path

import pytest
import yaml

from controller import errors as exits
from controller.commands.cli import main
from controller.configuration import journal_rules
from controller.configuration.journal_rules import Mount, mount_of
from controller.configuration.shipped import shipped_tables

OVERLAY = r"""
22 1 0:20 / / rw,relatime shared:1 - overlay overlayroot rw,lowerdir=/media/root-ro,upperdir=/media/root-rw/overlay
23 22 0:21 / /proc rw,nosuid shared:2 - proc proc rw
24 22 0:22 / /tmp rw,nosuid - tmpfs tmpfs rw,size=1024k
25 22 179:3 / /var/lib/table-controller rw,noatime shared:3 master:1 - ext4 /dev/mmcblk0p3 rw
26 22 179:3 /kept /srv/own rw,noatime - ext4 /dev/mmcblk0p3 rw
27 22 0:22 /inner /srv/own/memory rw - tmpfs tmpfs rw
28 22 8:1 / /mnt/my\040stick\134a rw - ext4 /dev/sda1 rw
29 22 0:30 / /mnt/twice rw - ext4 /dev/sdb1 rw
30 29 0:31 / /mnt/twice rw - ramfs ramfs rw
damaged
31 22 0:32 / /var
"""


@pytest.mark.parametrize(
    ("file", "mount"),
    [
        ("/var/lib/table-controller/roulette.journal", Mount(Path("/var/lib/table-controller"), "ext4")),
        ("/var/lib/table-controller2/roulette.journal", Mount(Path("/"), "overlay")),
        ("/var/lib/not/there/yet/roulette.journal", Mount(Path("/"), "overlay")),
        ("/tmp/roulette.journal", Mount(Path("/tmp"), "tmpfs")),
        ("/srv/own/roulette.journal", Mount(Path("/srv/own"), "ext4")),
        ("/srv/own/memory/roulette.journal", Mount(Path("/srv/own/memory"), "tmpfs")),
        ("/mnt/my stick\\a/roulette.journal", Mount(Path("/mnt/my stick\\a"), "ext4")),
        ("/mnt/twice/roulette.journal", Mount(Path("/mnt/twice"), "ramfs")),
    ],
)
def test_a_file_lies_on_the_deepest_mount_that_leads_to_it(file: str, mount: Mount) -> None:
    assert mount_of(Path(file), OVERLAY) == mount


def test_without_a_table_of_mounts_nothing_is_known() -> None:
    assert mount_of(Path("/var/lib/table-controller/roulette.journal"), "") is None


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in memory, with a disk below it, as the table of mounts has it."""
    table = tmp_path / "mountinfo"
    place = str(tmp_path.resolve())
    table.write_text(
        f"1 0 0:1 / / rw - ext4 /dev/root rw\n"
        f"2 1 0:2 / {place} rw - tmpfs tmpfs rw\n"
        f"3 2 8:1 / {place}/disk rw - ext4 /dev/sda1 rw\n"
    )
    monkeypatch.setattr(journal_rules, "MOUNTS", table)
    return tmp_path


def table_file(folder: Path, journal: Path, mirror: Path | None = None, backend: str = "serial") -> Path:
    data = yaml.safe_load(shipped_tables()["sic-bo"].read_text(encoding="utf-8"))
    data["journal"] = {"file": str(journal), **({"mirror": str(mirror)} if mirror is not None else {})}
    options = {"port": "/dev/ttyUSB0"} if backend == "serial" else {}
    data["devices"]["keypad"] |= {"backend": backend, "options": options}
    file = folder / "table.yaml"
    file.write_text(yaml.safe_dump(data, sort_keys=False), encoding="utf-8")
    return file


@pytest.mark.parametrize("command", ["check", "run"])
def test_a_journal_in_memory_is_refused_at_its_line(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (folder / "link").symlink_to(folder)
    file = table_file(folder, folder / "link/sic-bo.journal")
    line = file.read_text(encoding="utf-8").splitlines().index(f"  file: {folder}/link/sic-bo.journal") + 1
    assert main([command, str(file)]) == exits.CONFIGURATION
    assert capsys.readouterr().err.splitlines() == [
        f"{file}:{line}:9: journal.file: {folder}/link/sic-bo.journal would be lost: {folder.resolve()} is in "
        "memory (tmpfs); put it on a partition outside the operating system's overlay (docs/how-to/deploy.md)"
    ]
    assert not list(folder.rglob("*.journal"))


def test_so_is_its_mirror_and_a_disk_below_is_not(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["check", str(table_file(folder, folder / "disk/new/sic-bo.journal"))]) == exits.OK
    file = table_file(folder, folder / "disk/sic-bo.journal", folder / "stick/sic-bo.journal")
    capsys.readouterr()
    assert main(["check", str(file)]) == exits.CONFIGURATION
    (said,) = capsys.readouterr().err.splitlines()
    assert f"journal.mirror: {folder}/stick/sic-bo.journal would be lost" in said
    assert "mount the mirror's own medium there" in said


def test_simulated_devices_have_no_record_to_lose(folder: Path) -> None:
    assert main(["check", str(table_file(folder, folder / "sic-bo.journal", backend="mock"))]) == exits.OK


def test_where_the_system_lists_no_mounts_nothing_is_refused(folder: Path) -> None:
    (folder / "mountinfo").unlink()
    assert main(["check", str(table_file(folder, folder / "sic-bo.journal"))]) == exits.OK


@pytest.mark.parametrize("command", ["check", "run"])
def test_a_folder_that_others_may_enter_is_refused(
    command: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whoever can open the file can hold a lock on it."""
    disk = folder / "disk"
    disk.mkdir(mode=0o700)
    file = table_file(folder, disk / "sic-bo.journal")
    disk.chmod(0o750)
    assert main([command, str(file)]) == exits.CONFIGURATION
    (said,) = capsys.readouterr().err.splitlines()
    assert (
        f"others may enter {disk} (mode 0750), and the record is the table's alone; sudo chmod 700 {disk}" in said
    )
    assert main(["check", str(table_file(folder, disk / "sic-bo.journal", backend="mock"))]) == exits.OK
