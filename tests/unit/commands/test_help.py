"""Help: every command and action has examples that its parser takes, and a mistyped word is answered."""

import shlex
from pathlib import Path

import pytest

from controller.commands.cli import COMMANDS, main, parser
from controller.commands.command_parser import PROGRAM, folded
from controller.configuration.shipped import table_path
from controller.runtime import exit_codes as exits

TOP, MODULES = parser()
EXAMPLES = [(name, words) for name, module in MODULES.items() for words, _ in module.EXAMPLES]
WITHOUT_HARDWARE = {
    "bench sic-bo --demo --seed 7": exits.OK,
    "check table.yaml": exits.OK,
    "check roulette sic-bo --json": exits.OK,
    "limits table.yaml": exits.OK,
    "schema": exits.OK,
    "schema --floor": exits.OK,
    "odds sic-bo": exits.OK,
    "odds table.yaml": exits.OK,
    "odds casino-war --rule decks=8 --json": exits.OK,
    "guide casino-war --out guide.html": exits.OK,
    "guide table.yaml": exits.OK,
    "simulate roulette --rounds 20 --seed 7 --faults": exits.OK,
    "simulate table.yaml --rounds 100 --workers 1 --json": exits.OK,
    "journal show table.journal --last 3": exits.OK,
    "journal export table.journal --format csv": exits.OK,
    "journal verify table.yaml": exits.OK,
    "verify-software": exits.FAILED,  # A source folder is under development.
}
"""What is run here, of a table whose file and journal are in the folder; each with its exit code."""


@pytest.mark.parametrize(("command", "words"), EXAMPLES)
def test_an_example_is_what_its_command_takes(command: str, words: str) -> None:
    given = [word for word in shlex.split(words) if word != "sudo"]
    arguments, unknown = TOP.parse_known_args(given)
    assert (arguments.command, unknown) == (command, [])
    assert shlex.split(folded(words, 40).replace("\\\n", " ")) == [
        *(["sudo"] if words.startswith("sudo ") else []),
        PROGRAM,
        *given,
    ]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    text = table_path("sic-bo").read_text(encoding="utf-8")
    text = text.replace("/var/lib/table-controller/sic-bo.journal", "table.journal")
    Path("table.yaml").write_text(text, encoding="utf-8")
    assert main(["bench", "table.yaml", "--demo", "--journal", "table.journal"]) == exits.OK
    return tmp_path


@pytest.mark.parametrize("words", [words for words in WITHOUT_HARDWARE if words.split()[0] in COMMANDS])
@pytest.mark.campaign
def test_an_example_that_needs_no_hardware_does_what_it_says(
    words: str, folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(shlex.split(words)) == WITHOUT_HARDWARE[words]
    printed = capsys.readouterr()
    assert "Traceback" not in printed.err
    assert printed.out


@pytest.mark.parametrize(
    ("words", "where", "message"),
    [
        ("jurnal show x", "table-controller", "there is no 'jurnal'; did you mean journal?"),
        ("dance", "table-controller", "there is no 'dance'; use one of: run, bench"),
        ("journal shw x", "table-controller journal", "there is no 'shw'; did you mean show?"),
        ("journal show x --raund 3", "table-controller journal show", "'--raund' (did you mean --round?), '3'"),
        ("journal show --json=yes x y", "table-controller journal show", "ignored explicit argument 'yes'"),
        ("bench --dmeo", "table-controller bench", "'--dmeo' (did you mean --demo?)"),
    ],
)
def test_a_mistyped_word_is_answered_with_what_was_meant(
    words: str, where: str, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as stop:
        main(words.split())
    assert stop.value.code == exits.USAGE
    printed = capsys.readouterr()
    assert printed.out == ""
    last = printed.err.splitlines()[-1]
    assert message in last
    assert last.startswith(where.replace(" f ", " FILE ") + ":") or where in last


def test_a_mistyped_game_is_answered_with_the_one_that_was_meant(capsys: pytest.CaptureFixture[str]) -> None:
    for command in ("odds", "guide", "simulate", "bench"):
        assert main([command, "rulette"]) == exits.USAGE
        assert "unknown game 'rulette'; did you mean roulette? the games are: big-six" in capsys.readouterr().err
