"""Files that cannot be read, are not text, or are not YAML: one clear problem each, at its place."""

import os
import socket
from pathlib import Path

import pytest

from config.loader import MAX_BYTES, read
from config.problems import ConfigError
from controller.configuration.shipped import table_path

DEEP = 10_000


def refusal(path: Path) -> str:
    with pytest.raises(ConfigError) as caught:
        read(path)
    (problem,) = caught.value.problems
    return str(problem)


def test_what_is_no_readable_file_is_named(tmp_path, mocker, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("large").write_bytes(b"#" * (MAX_BYTES + 1))
    os.mkfifo("pipe")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
    for path, said in {
        "none": "there is no such file; check the name and the folder",
        "large": "the file is larger than 1 MiB; check that this is a configuration",
        "pipe": "this is a pipe; name a file",
        "socket": "this is a socket; name a file",
        ".": "this is a folder; name a file",
        "/dev/zero": "this is a device; name a file",
        "a\0b": "the file cannot be read: embedded null byte; check the name and the folder",
    }.items():
        assert refusal(Path(path)) == f"{path}:1:1: {said}"
    mocker.patch.object(Path, "open", side_effect=PermissionError(13, "Permission denied"))
    assert "this user may not read the file; let this user read it" in refusal(Path("none"))


@pytest.mark.parametrize(
    ("data", "line", "column", "message", "remedy"),
    [
        # Bytes and characters
        ("table: é\ngame: ".encode() + b"\xff", 2, 7, "the byte 0xFF is not UTF-8", "save the file as UTF-8"),
        (b"a: 1\r\nb: 2\rc: \x80", 3, 4, "the byte 0x80 is not UTF-8", "save the file as UTF-8"),
        ("table: x".encode("utf-16"), 1, 1, "the file is saved as UTF-16", "save it as UTF-8"),
        (b"table: x\n\tgame: y\n", 2, 1, "a tab is not allowed here", "use spaces"),
        (b"table: x\x00y\n", 1, 9, "character U+0000 is not", "delete it"),
        (b"table: \x1b[1m\n", 1, 8, "control character U+001B", "delete it"),
        ("table: x # \u00a0\n".encode(), 1, 12, "character U+00A0 is not", "delete it"),
        # Nothing, or something else than a section of keys
        (b"", 1, 1, "the file is empty", "begin with 'table: …'"),
        (b"\n- table\n", 2, 1, "but this is a list", "begin with 'table: …'"),
        (b"table:dreamcatcher\n", 1, 1, "but this is text", "begin with 'table: …', with a space after"),
        # YAML
        (b"a: b: c\n", 1, 5, "a ':' where no key is allowed", "text with ': '"),
        (b"a:\n  b: 1\n c: 2\n", 3, 2, "does not fit the lines before it", "same number"),
        (b"a:\n  - b\n  c: 1\n", 3, 3, "a list goes on here without '- '", "begin each entry"),
        (b"a: 1\nb 2\nc: 3\n", 2, 1, "a key without ': '", "a space after the colon"),
        (b"a: [1,\n  2\nb: 3\n", 3, 2, "the list is not closed (it begins on line 1)", "']'"),
        (b"a: {b: 1,\n  c: 2\nd: 3\n", 3, 2, "the '{' is not closed (it begins on line 1)", "'}'"),
        (b"a: 'x\nb: 2\n", 3, 1, "the quote is not closed (it begins on line 1)", "same quote"),
        (b"a: - b\n", 1, 4, "a list cannot begin behind a key", "write it as [a, b]"),
        (b"a: !<x\n", 1, 7, "the file is not YAML here", "compare this line"),
        (b'a: "\\q"\n', 1, 5, "mean nothing", "write the character itself"),
        (b"a: 1\n---\nb: 2\n", 2, 1, "a second document begins here", "remove '---'"),
        # Depth
        (b"a: " + b"[" * DEEP, 1, 43, "nested more than 40 deep", "check the brackets"),
    ],
)
def test_one_problem(problems, data, line, column, message, remedy):
    (problem,) = problems(data)
    assert (problem.file, problem.line, problem.column, problem.key) == ("table.yaml", line, column, "")
    assert message in problem.message
    assert remedy in problem.remedy


def test_byte_order_mark_line_ends_and_document_markers_do_not_matter(problems):
    data = table_path("big-six").read_bytes()
    assert problems(b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n")) == ()
    assert problems(b"%YAML 1.1\n---\n" + data + b"...\n") == ()
    crossed = data.replace(b"clear: 13", b"clear: 17")
    assert problems(crossed.replace(b"\n", b"\r\n")) == problems(b"\xef\xbb\xbf" + crossed) == problems(crossed)
