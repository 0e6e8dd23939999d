"""Help: every example is taken by its parser, and a mistyped word is answered with what was meant."""

import re
import shlex
from collections.abc import Iterator

import pytest

from controller.commands.cli import main, parser
from controller.errors import USAGE

TOP, MODULES = parser()


def examples() -> Iterator[list[str]]:
    for module in MODULES.values():
        text = (module.__doc__ or "").partition("examples:\n")[2].replace("\\\n", " ")
        found = re.findall(r"^  (?:sudo )?table-controller (.*)$", text, re.MULTILINE)
        assert found, f"{module.__name__} has no example"
        yield from map(shlex.split, found)


@pytest.mark.parametrize("words", list(examples()), ids=" ".join)
def test_every_example_is_taken(words: list[str]) -> None:
    TOP.parse_args(words)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("jurnal show x", "table-controller: argument COMMAND: there is no 'jurnal'; did you mean journal?"),
        ("dance", "there is no 'dance'; use one of: run, bench"),
        ("journal shw x", "table-controller journal: argument ACTION: there is no 'shw'; did you mean show?"),
        (
            "journal show x --raund 3",
            "journal show: nothing takes '--raund' (did you mean --round?)",
        ),
        ("journal show --json=yes x y", "ignored explicit argument 'yes'"),
        ("bench --dmeo", "'--dmeo' (did you mean --demo?)"),
        ("bench --demo --port 1", "not allowed with argument"),
        ("bench --port 70000", "'70000' is not a whole number from 0 to 65535; for example: --port 8081"),
        ("bench --demo --json", "table-controller bench: --json goes with --script or --capture only"),
        ("check", "table-controller check: name a table's YAML file, or a game"),
        (
            "replay 1 x.journal",
            "replay: x.journal does not say how its table is built: add --table",
        ),
    ],
)
def test_wrong_words_are_answered_with_what_was_meant(
    words: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        code = main(words.split())
    except SystemExit as stop:
        code = stop.code  # type: ignore[assignment]
    printed = capsys.readouterr()
    assert (code, printed.out) == (USAGE, "")
    assert message in printed.err.splitlines()[-1]
