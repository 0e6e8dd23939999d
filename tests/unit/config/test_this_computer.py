"""Files, journals and people as the computer has them that reads the table's file."""

import os
from pathlib import Path

import pytest

from controller import errors as exits
from controller.access.credentials import Role, add
from controller.commands.cli import main
from controller.configuration import this_computer
from controller.configuration.shipped import table_path

JOURNAL = "file: /var/lib/table-controller/sic-bo.journal"
REAL = ("  keypad:\n    backend: mock\n    options: {}", "  keypad:\n    backend: gpiozero\n    options: {}")
CREDENTIALS = "  file: /etc/table-controller/credentials.json"


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A folder whose file system is, as the table of mounts has it, the one in the file ``system``."""
    monkeypatch.setattr(this_computer, "MOUNTS", tmp_path / "mountinfo")
    (tmp_path / "disk").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "disk")
    return tmp_path


def mounted(folder: Path, system: str) -> None:
    device = folder.stat().st_dev
    mount = f"27 1 {os.major(device)}:{os.minor(device)} / / rw,relatime shared:1 - {system} {system} rw"
    this_computer.MOUNTS.write_text(f"26 1 0:1 / /proc rw - tmpfs x rw\n{mount}\n")


@pytest.mark.parametrize(("system", "where"), [("tmpfs", "in memory"), ("overlay", "on an overlay"), ("ext4", "")])
def test_a_journal_or_mirror_that_would_be_lost_is_refused(check, folder, capsys, system, where):
    mounted(folder, system)
    file = (JOURNAL, f"file: {folder}/link/sic-bo.journal")
    lost = f"would be lost: its folder is {where} ({system})"
    assert not [line for line in check("sic-bo", file) if "would be lost" in line], "all is simulated"
    said = [line for line in check("sic-bo", file, REAL) if "would be lost" in line]
    assert len(said) == bool(where)
    if where:
        assert f":9: journal.file: {folder}/link/sic-bo.journal {lost}; put it on a partition outside" in said[0]
        assert main(["run", str(folder / "table.yaml")]) == exits.CONFIGURATION
        assert "would be lost" in capsys.readouterr().err
        assert not list(folder.rglob("*.journal"))
        mirrored = (JOURNAL, f"file: {folder}/link/sic-bo.journal\n  mirror: {folder}/disk/not-yet/sic-bo.journal")
        _, said = check("sic-bo", mirrored, REAL)
        assert f"journal.mirror: {folder}/disk/not-yet/sic-bo.journal {lost}; mount the mirror's own medium" in said


def test_a_folder_that_others_may_enter_is_refused(check, folder, capsys):
    """Whoever can open the file can hold a lock on it."""
    on_disk, disk = (JOURNAL, f"file: {folder}/disk/sic-bo.journal"), folder / "disk"
    assert not [line for line in check("sic-bo", on_disk, REAL) if "chmod" in line]
    disk.chmod(0o750)
    (said,) = check("sic-bo", on_disk, REAL)
    assert f"other users can open {disk} (mode 0750), but only the table may; use a folder of the table" in said
    assert main(["run", str(folder / "table.yaml")]) == exits.CONFIGURATION
    assert "other users can open" in capsys.readouterr().err


def test_a_journal_is_the_same_file_for_every_process(check, capsys, tmp_path):
    """The table and its screens start in different folders."""
    relative = (JOURNAL, "file: sic-bo.journal")
    assert not check("sic-bo", relative)
    (said,) = check("sic-bo", relative, REAL)
    assert "journal.file: sic-bo.journal is looked for in the folder in which a command or service starts" in said
    assert main(["run", str(tmp_path / "table.yaml")]) == exits.CONFIGURATION
    assert "write it from the root" in capsys.readouterr().err


def test_whatever_stands_where_a_file_is_named_is_one(check, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    screens = f"screens:\n  metrics: true\n  metrics_token: {tmp_path}\n"
    found = check("sic-bo", (JOURNAL, f"file: {tmp_path}/pipe"), (CREDENTIALS, "  file: /dev/null"), append=screens)
    assert [line.partition(" ")[2] for line in found] == [
        f"journal.file: {tmp_path}/pipe is a pipe; name a file",
        "credentials.file: /dev/null is a device; name a file",
        f"screens.metrics_token: {tmp_path} is a folder; name a file",
    ]


NOBODY = "the floorperson's key needs no PIN, log-on accepts any number, and no name in the record is verified"
PINS = {"4711": (Role.FLOORPERSON, "830261"), "12": (Role.DEALER, "994410"), "13": (Role.DEALER, None)}


OF_FILE = "credentials:\n  file: FILE\n  dealer_pin: "


@pytest.mark.parametrize(
    ("section", "people", "said"),
    [
        ("credentials: none", [], NOBODY),
        ("", [], NOBODY),
        ("credentials:", [], "credentials: is empty; give a file"),
        ("credentials: nobody", [], "credentials: "),
        (f"{OF_FILE}true", [], ""),  # On the bench no file of people is needed.
        (f"{OF_FILE}true", ["4711", "12"], ""),
        (f"{OF_FILE}false", ["4711", "13"], ""),
        (f"{OF_FILE}true", ["4711", "13"], "dealers without a PIN cannot log on while dealer_pin is true: 13"),
        (f"{OF_FILE}false", ["12"], "has no floorperson, so nobody can use the floorperson's key; add one"),
        (f"{OF_FILE}false", ["4711"], "has no dealer, so log-on refuses every number; add one"),
        (f"{OF_FILE}false", None, "the file is damaged"),
    ],
)
def test_check_says_whom_the_key_and_log_on_know(check, tmp_path, section, people, said):
    known = tmp_path / "credentials.json"
    if people is None:
        known.write_text("{")
    for number in people or ():
        add(known, number, *PINS[number])
    text = table_path("big-six").read_text(encoding="utf-8")
    own = text[text.index("credentials:\n") : text.index("# The wheel as built")]
    given = section.replace("FILE", str(known))
    found = check("big-six", (own, f"{given}\n"))
    assert len(found) == bool(said)
    assert said in "".join(found)
    if not known.exists() and OF_FILE in section:
        real = check("big-six", (own, f"{given}\n"), ("backend: mock", "backend: gpiod"))
        assert "there is no such file" in "".join(real)


@pytest.mark.parametrize(
    ("game", "old", "new", "append", "said"),
    [
        (
            "big-six",
            "backend: mock",
            "backend: gpiod",
            "",
            "simulated beside real devices: buttons, keypad, switch",
        ),
        ("sic-bo", "", "", "\nsigning: {}\n", "`signing:` has no effect without `broker:`"),
        ("sic-bo", "", "", "\nscreens: {address: 0.0.0.0}\n", "the pages have no log-on: everybody who reaches"),
    ],
)
def test_what_is_in_order_and_leaves_something_open(check, game, old, new, append, said):
    assert any(line.startswith(said) for line in check(game, (old, new), append=append))


def test_files_that_the_publisher_needs_are_missing_from_a_table(check, tmp_path):
    there = tmp_path / "ca.pem"
    there.touch()
    broker = f"broker: {{host: h, ca: {there}, certificate: /no/c.pem, key: {there}/k.pem}}"
    needs = f"\n{broker}\nsigning: {{floor_key: /no/f}}\n"
    found = check("big-six", ("backend: mock", "backend: gpiod"), append=needs)
    missing = [line.partition(" is missing: ")[0] for line in found if "is sent to the floor" in line]
    assert missing == ["/no/c.pem", f"{there}/k.pem", "/no/f"]
    assert not any("is sent" in line for line in check("big-six", append=needs)), (
        "on the bench they need not be there"
    )


def test_a_table_without_digits_is_reported(check):
    """Number, PIN and the floor menu need them; a keyboard may have them."""
    text = table_path("big-six").read_text(encoding="utf-8")
    keypad = text[text.index("  keypad:\n") : text.index("  switches:\n")]
    (found,) = check("big-six", (keypad, ""))
    assert "no key for: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, enter" in found
    keys = "".join(f"      {key}: K-{key}\n" for key in (*"0123456789", "enter"))
    keyboard = f"  keyboard:\n    backend: mock\n    options: {{}}\n    codes:\n{keys}"
    assert check("big-six", (keypad, keyboard)) == []
    (found,) = check("big-six", (keypad, keyboard.replace("K-enter", "K-0")))
    assert "devices.keyboard.codes.enter: code K-0 is already used by devices.keyboard.codes.0 (also" in found
