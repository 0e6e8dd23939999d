"""A value or a block of a table's file is changed, and not a character beside it."""

from pathlib import Path
from typing import Any

import pytest

from config.edit import NotFoundError, check_writable, replace, where, with_entry, with_value
from config.yaml_source import parse

BLOCK = ["clapper: # measured", "  measured: 2026-11-22", "  strikes_deg: {clockwise: 1, counterclockwise: 2}"]
SAID = {"measured": "2026-11-22", "strikes_deg": {"clockwise": "1", "counterclockwise": "2"}}


def data_of(text: str) -> Any:
    return parse(text.encode(), "f").data


def test_only_the_value_changes() -> None:
    text = "a:  # one\n  b: 7 # two, b: 7\n  c: 8\nd: {b: 9, c: 1}\n"
    assert with_value(text, "f", ("a", "b"), "31") == text.replace("b: 7 #", "b: 31 #")
    assert with_value(text, "f", ("d", "b"), "31") == text.replace("b: 9", "b: 31")
    assert where(text, "f", ("a", "c")) == (3, 3)


def test_a_key_that_is_not_there_is_named() -> None:
    with pytest.raises(NotFoundError, match=r"there is no wheel\.x; add it"):
        with_value("wheel: {y: 1}\n", "f", ("wheel", "x"), "2")
    with pytest.raises(NotFoundError, match=r"there is no section wheel; add it"):
        with_entry("a: 1\n", "f", ("wheel", "clapper"), BLOCK)


@pytest.mark.parametrize("text", ["a: 1\nwheel: {b: 1}\n", "wheel: {}\n"])
def test_nothing_is_added_to_a_section_in_braces(text: str) -> None:
    with pytest.raises(NotFoundError, match="write wheel on lines of its own"):
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
        ("wheel:\n  clapper:\n    text: |\n      one\n      two\nz: 1\n", "wheel:\n  C\nz: 1\n"),
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


def test_a_read_only_file_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "table.yaml"
    file.write_text("a: 1\n")
    file.chmod(0o444)
    for act in (lambda: check_writable(file), lambda: replace(file, "b: 2\n")):
        with pytest.raises(PermissionError, match="read-only"):
            act()
    assert file.read_text() == "a: 1\n"
    file.chmod(0o640)
    replace(file, "b: 2\n")
    assert (file.read_text(), file.stat().st_mode & 0o777) == ("b: 2\n", 0o640)


def test_a_file_is_written_as_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As UTF-8 and with its own line ends, whatever the computer's language is."""
    monkeypatch.setenv("LC_ALL", "C")
    file = tmp_path / "table.yaml"
    file.write_bytes(b"")
    replace(file, "§: 1\r\n")
    assert file.read_bytes() == "§: 1\r\n".encode()
