"""Files that are not there, not text, or not YAML: one clear problem each, at its place."""

from pathlib import Path

import pytest

from config.loader import MAX_BYTES, digest, load, read
from config.problems import ConfigError, Problem

DEEP = 10_000


def only(path: Path) -> Problem:
    with pytest.raises(ConfigError) as caught:
        load(path)
    (problem,) = caught.value.problems
    return problem


def test_missing_file(tmp_path):
    path = tmp_path / "dreamcather.yaml"
    assert str(only(path)) == f"{path}:1:1: there is no such file; check the name and the folder"


def test_folder(tmp_path):
    assert only(tmp_path).message == "this is a folder"


def test_unreadable_file(tmp_path, mocker):
    mocker.patch.object(Path, "open", side_effect=PermissionError(13, "Permission denied"))
    problem = only(tmp_path / "table.yaml")
    assert problem.message == "this user may not read the file"
    assert "chmod" in problem.remedy


def test_file_too_large(tmp_path):
    path = tmp_path / "table.yaml"
    path.write_bytes(b"#" * (MAX_BYTES + 1))
    assert only(path).message == "the file is larger than 1 MiB"


def test_file_and_digest(shipped):
    data = read(shipped)
    assert data == shipped.read_bytes()
    assert digest(data) != digest(data + b"\n")
    assert digest(b"") == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"


@pytest.mark.parametrize(
    ("data", "line", "column", "message", "remedy"),
    [
        # Bytes and characters
        (b"table: caf\xe9\n", 1, 11, "the byte 0xE9 is not UTF-8", "save the file as UTF-8"),
        ("table: é\ngame: ".encode() + b"\xff", 2, 7, "the byte 0xFF is not UTF-8", "save the file as UTF-8"),
        (b"a: 1\r\nb: 2\rc: \x80", 3, 4, "the byte 0x80 is not UTF-8", "save the file as UTF-8"),
        ("table: x".encode("utf-16"), 1, 1, "the file is saved as UTF-16", "save it as UTF-8"),
        ("table: x".encode("utf-16-be"), 1, 1, "the file is saved as UTF-16", "save it as UTF-8"),
        ("table: x".encode("utf-16-le"), 1, 1, "the file is saved as UTF-16", "save it as UTF-8"),
        (b"table: x\n\tgame: y\n", 2, 1, "a tab is not allowed here", "use spaces"),
        (b"table:\tx\n", 1, 7, "a tab is not allowed here", "use spaces"),
        (b"table: x\x00y\n", 1, 9, "a NUL character is not allowed here", "delete it"),
        (b"table: \x1b[1m\n", 1, 8, "control character U+001B", "delete it"),
        ("table: x # \u00a0\n".encode(), 1, 12, "a no-break space is not allowed here", "delete it"),
        ("table: x\u2028game: y\n".encode(), 1, 9, "character U+2028", "delete it"),
        ("table: \u202ex\n".encode(), 1, 8, "character U+202E", "delete it"),
        # Nothing, or something else than a section of keys
        (b"", 1, 1, "the file is empty", "begin with 'table: …'"),
        (b"\xef\xbb\xbf", 1, 1, "the file is empty", "begin with 'table: …'"),
        (b"# nothing\n\n", 1, 1, "the file is empty", "begin with 'table: …'"),
        (b"---\n", 1, 1, "the file is empty", "begin with 'table: …'"),
        (b"null\n", 1, 1, "the file is empty", "begin with 'table: …'"),
        (b"\n- table\n", 2, 1, "but this is a list", "begin with 'table: …'"),
        (b"table\n", 1, 1, "but this is text", "begin with 'table: …'"),
        (b"table:dreamcatcher\n", 1, 1, "but this is text", "begin with 'table: …'"),
        # YAML
        (b"a: b: c\n", 1, 5, "a ':' where no key is allowed", "indented"),
        (b"a:\n  b: 1\n c: 2\n", 3, 2, "does not fit the lines before it", "same number of spaces"),
        (b"a: 1\n- b\n", 2, 1, "does not fit the lines before it", "same number of spaces"),
        (b"a:\n  - b\n  c: 1\n", 3, 3, "a list goes on here without '- '", "begin each entry"),
        (b"a: 1\nb 2\nc: 3\n", 2, 1, "a key without ': '", "a space after the colon"),
        (b"a: [1,\n  2\nb: 3\n", 3, 2, "the list is not closed (it begins on line 1)", "']'"),
        (b"a: {b: 1,\n  c: 2\nd: 3\n", 3, 2, "the '{' is not closed (it begins on line 1)", "'}'"),
        (b"a: 'x\nb: 2\n", 3, 1, "the quote is not closed (it begins on line 1)", "same quote"),
        (b"a: 'it's'\n", 1, 8, "does not fit the lines before it", "in quotes"),
        (b"a: - b\n", 1, 4, "a list cannot begin behind a key", "on the next line"),
        (b"a: ? b\n", 1, 4, "a value cannot begin with '? '", "in quotes"),
        (b"a: !<x\n", 1, 7, "the file is not YAML here", "compare this line"),
        (b"a: @x\n", 1, 4, "a value cannot begin with this character", "in quotes"),
        (b'a: "\\q"\n', 1, 5, "means nothing", "write the character itself"),
        (b'a: "\\xZZ"\n', 1, 7, "the escape is not complete", "write the character itself"),
        (b'a: "\\ud800"\n', 1, 7, "there is no such character", "write the character itself"),
        (b"a: !e!x 1\n", 1, 4, "tags (!…) are not used here", "remove the tag"),
        (b"a: ]\n", 1, 4, "a value is expected here", "write a value"),
        (b"a: *\n", 1, 5, "cannot begin with '*' or '&'", "in quotes"),
        (b"a: |x\n", 1, 5, "cannot begin with '|' or '>'", "in quotes"),
        (b"%FOO\na: 1\n", 1, 5, "cannot begin with '%'", "remove the line"),
        (b"%YAML 3.0\n---\na: 1\n", 1, 1, "unknown version of YAML", "%YAML"),
        (b"a: 1\n...\nb\n", 3, 1, "there is text after the end of the document", "remove"),
        # Depth
        (b"a: " + b"[" * DEEP, 1, 43, "nested more than 40 deep", "check the brackets"),
        (b"a: " + b"[" * DEEP + b"]" * DEEP, 1, 43, "nested more than 40 deep", "check the brackets"),
        (b"a:\n " + b"- " * DEEP, 2, 80, "nested more than 40 deep", "check the brackets"),
        (b"a: " + b"{b: " * DEEP, 1, 160, "nested more than 40 deep", "check the brackets"),
    ],
)
def test_one_problem(problems, data, line, column, message, remedy):
    (problem,) = problems(data)
    assert (problem.file, problem.line, problem.column, problem.key) == ("table.yaml", line, column, "")
    assert message in problem.message
    assert remedy in problem.remedy


def test_depth_within_a_key(problems):
    *others, last = problems("a: " + "{" * DEEP)
    assert [problem.message for problem in others] == ["a key must be plain text"]
    assert "nested more than 40 deep" in last.message


def test_every_damaged_line_is_named(problems):
    found = problems("table: x\n\tgame: y\n# \u200b\n\tjournal:\n")
    assert [problem.line for problem in found] == [2, 3, 4]


def test_byte_order_mark_and_line_ends_do_not_matter(problems, table):
    data = table.encode()
    assert problems(b"\xef\xbb\xbf" + data) == ()
    assert problems(data.replace(b"\n", b"\r\n")) == ()
    crossed = data.replace(b"clear: 13", b"clear: 17")
    assert problems(crossed.replace(b"\n", b"\r\n")) == problems(b"\xef\xbb\xbf" + crossed) == problems(crossed)


def test_document_markers_around_one_document_are_accepted(problems, table):
    assert problems("%YAML 1.1\n---\n" + table + "...\n") == ()
