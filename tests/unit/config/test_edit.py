"""A value or a block of a table's file is changed, and not a character beside it."""

from pathlib import Path
from typing import Any

import pytest

from config.edit import NotFoundError, check_writable, replace, with_entry
from config.yaml_source import parse

BLOCK = ["clapper: # measured", "  measured: 2026-11-22", "  strikes_deg: {clockwise: 1, counterclockwise: 2}"]
SAID = {"measured": "2026-11-22", "strikes_deg": {"clockwise": "1", "counterclockwise": "2"}}


def data_of(text: str) -> Any:
    return parse(text.encode(), "f").data


@pytest.mark.parametrize("space", [" ", "     "])
def test_only_the_value_changes(space: str) -> None:
    text = f"a:  # one\n  b: 7{space}# two, b: 7 # three\n  c: 8\n"
    assert with_entry(text, "f", ("a", "b"), ["b: 31"]) == text.replace("b: 7", "b: 31", 1)


def test_what_cannot_be_changed_is_named() -> None:
    for text, message in (
        ("a: 1\n", "there is no section wheel; add it"),
        ("a: 1\nwheel: {b: 1}\n", "write wheel on lines of its own"),
        ("wheel: {}\n", "write wheel on lines of its own"),
    ):
        with pytest.raises(NotFoundError, match=message):
            with_entry(text, "f", ("wheel", "clapper"), BLOCK)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("wheel:\n  b: 1\n", "wheel:\n  b: 1\n  C\n"),
        ("wheel:\n  b: 1", "wheel:\n  b: 1\n  C\n"),
        (
            "wheel:\n    b: 1 # one\n    # two\n# after\nz: 1\n",
            "wheel:\n    b: 1 # one\n    C\n    # two\n# after\nz: 1\n",
        ),
        ("wheel:\n  b: 1\n\n  # x: 2\nz: 1\n", "wheel:\n  b: 1\n  C\n\n  # x: 2\nz: 1\n"),
        ("wheel:\n  clapper: {a: 1,\n    b: 2} # old\n  z: 1\n", "wheel:\n  C\n  z: 1\n"),
        (
            "wheel:\n  # mine\n  clapper: # old\n    a:\n      - 1\n\n      - b: 2\n    # kept\n  z: 1\n",
            "wheel:\n  # mine\n  C\n    # kept\n  z: 1\n",
        ),
        ("wheel:\n  clapper:\n  z: 1\n", "wheel:\n  C\n  z: 1\n"),
        ("wheel:\n  clapper: null # none\n", "wheel:\n  C\n"),
        ("wheel:\n  clapper:\n    text: |-\n      one\nz: 1\n", "wheel:\n  C\nz: 1\n"),
        ("wheel:\n  clapper: 'a\n    b'\n  z: 1\n", "wheel:\n  C\n  z: 1\n"),
    ],
)
@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_a_block_is_put_at_the_end_or_in_place_of_the_old_one(before: str, after: str, ending: str) -> None:
    indented = after.partition("C\n")[0].rpartition("\n")[2]
    expected = after.replace(f"{indented}C\n", "".join(f"{indented}{line}\n" for line in BLOCK))
    found = with_entry(before.replace("\n", ending), "f", ("wheel", "clapper"), BLOCK)
    assert found.replace(ending, "\n") == expected
    assert found.count("\r") == (found.count("\n") if ending == "\r\n" and "\n" in before[:-1] else 0)
    assert data_of(found)["wheel"]["clapper"] == SAID


def test_a_file_is_replaced_as_utf_8_with_its_mode_and_line_ends_unless_it_is_read_only(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LC_ALL", "C")
    file = tmp_path / "table.yaml"
    file.write_text("a: 1\n")
    file.chmod(0o444)
    for act in (lambda: check_writable(file), lambda: replace(file, "b: 2\n")):
        with pytest.raises(PermissionError, match="read-only"):
            act()
    assert file.read_text() == "a: 1\n"
    file.chmod(0o640)
    replace(file, "§: 1\r\n")
    assert (file.read_bytes(), file.stat().st_mode & 0o777) == ("§: 1\r\n".encode(), 0o640)
