"""The commands as a technician meets them: help, wrong arguments, exit codes, no traceback."""

import errno
import io
import json
import os
import re
import shlex
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
import yaml

from controller.bench.rig import Rig
from controller.commands import odds
from controller.commands.cli import main, parser
from controller.configuration.shipped import table_path
from controller.floor.database import make_engine, prepare

TOP, MODULES = parser()


def examples() -> Iterator[list[str]]:
    for module in MODULES.values():
        text = (module.__doc__ or "").partition("examples:\n")[2].replace("\\\n", " ")
        found = re.findall(r"^  (?:sudo )?table-controller (.*?)(?:  # .*)?$", text, re.MULTILINE)
        assert found, f"{module.__name__} has no example"
        yield from map(shlex.split, found)


@pytest.mark.parametrize("words", list(examples()), ids=" ".join)
def test_every_example_is_taken(words: list[str]) -> None:
    TOP.parse_args(words)


BROKER = {"host": "broker.casino", "ca": "ca.pem", "certificate": "t.pem", "key": "t.key"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a journal, the files of tables, and that of a floor."""
    made = tmp_path_factory.mktemp("tables")
    assert main(["bench", "dreamcatcher", "--demo", "--seed", "3", "--journal", str(made / "d.journal")]) == 0
    sic_bo = yaml.safe_load(table_path("sic-bo").read_text(encoding="utf-8"))
    floor = {"floor": "main", "broker": BROKER, "record": {"file": "record"}}
    for name, data in {
        "plain.yaml": sic_bo,
        "broker.yaml": {**sic_bo, "broker": BROKER},
        "floor.yaml": {**floor, "store": {"url": "sqlite:///floor.db"}},
        "unusable.yaml": {**floor, "store": {"url": "mysql://x"}, "signing": {"key": "floor.key"}},
    }.items():
        (made / name).write_text(yaml.safe_dump(data), encoding="utf-8")
    return made


LIMITS = "limits dreamcatcher --journal d.journal"
SETTLE = "floor floor.yaml --settle t-1"
WRONG = [
    # The words themselves
    ("jurnal show x", 2, "table-controller: argument COMMAND: there is no 'jurnal'; did you mean journal?"),
    ("journal show x --raund 3", 2, "journal show: nothing takes '--raund' (did you mean --round?)"),
    ("journal show --json=yes x y", 2, "ignored explicit argument 'yes'"),
    ("bench --port 70000", 2, "'70000' is not a whole number from 0 to 65535"),
    ("bench --demo --json", 2, "table-controller bench: --json goes with --script or --capture only"),
    ("bench --seed -1", 2, "'-1' is not a whole number from 0 to 4294967295"),
    ("floor floor.yaml --accept stored", 2, "table-controller floor: --accept goes with --settle only"),
    ("floor floor.yaml --by=", 2, "table-controller floor: --by goes with --settle only"),
    ("floor floor.yaml --settle=", 2, "argument --settle: '' is not the name of a table; use the `table:` of its"),
    ("credential remove 12a", 2, "argument NUMBER: '12a' is no credential number: 1 to 8 digits"),
    ("credential add 5 --no-pin", 2, "table-controller credential: --no-pin goes with --dealer only"),
    ("check", 2, "table-controller check: name a table's YAML file, or a game"),
    ("odds poker", 2, "unknown game 'poker'; the games are"),
    (f"{LIMITS} set --minimum 5 --maximum 9 --at 25:00", 2, "'25:00' is not a time; write it as 18:30"),
    (f"{LIMITS} set --minimum 5 --maximum 9", 2, "one of the arguments --at --in --nobody-plays is required"),
    (f"{LIMITS} set --minimum 5 --maximum 9 --in 29", 2, "minutes are a whole number from 30 to 1440"),
    (f"{LIMITS} set --minimum 500 --maximum 10 --in 30", 2, "the maximum 10 is below the minimum 500"),
    ("check --schema table roulette", 2, "--schema goes without a table or game"),
    # What they name
    ("check /nowhere.yaml", 78, "there is no such file"),
    (
        "check floor.yaml",
        78,
        "1: floor: this is a floor's file, not a table's; check it with: table-controller floor",
    ),
    (
        "floor plain.yaml --check",
        78,
        "1: table: this is a table's file, not a floor's; check it with: table-controller",
    ),
    ("journal verify /nowhere.journal", 1, "there is no journal here"),
    ("replay 2 d.journal", 78, "this is a database, such as a journal; name the table's YAML file"),
    ("replay 99 dreamcatcher --journal d.journal", 1, "no entries of round 99; the journal's last round is"),
    ("replay 2 big-six --journal d.journal", 1, "of the game 'dreamcatcher', not of 'big-six'"),
    ("guide sic-bo --out /nowhere/x.html", 1, "No such file or directory; name another file"),
    ("wheel-report roulette --journal d.journal", 1, "of the game 'dreamcatcher', not of 'roulette'"),
    ("wheel-report dreamcatcher", 1, "the wheel is not calibrated"),
    ("wheel-report sic-bo", 1, "a sic-bo table has no wheel with sensors"),
    ("wheel-report roulette --journal other.journal", 1, "other.journal: there is no journal here"),
    ("wheel-report roulette --capture other.vcd", 1, "other.vcd"),
    (LIMITS, 1, "the table does not run"),
    ("publish plain.yaml", 78, "no broker to publish to"),
    ("publish --configured plain.yaml", 1, ""),
    ("publish --configured broker.yaml", 0, ""),
    ("floor unusable.yaml --check", 78, "unusable.yaml:12:8: store.url: store.url names mysql"),
    (f"{SETTLE} --accept stored --by M. --reason copied", 1, "nothing of table t-1 waits for a person"),
    (SETTLE, 1, "the name is missing"),
    ("odds sic-bo", 0, ""),
]


def test_no_locale_and_no_name_of_a_file_ends_a_command(monkeypatch: pytest.MonkeyPatch) -> None:
    for words, code in ((["odds", "sic-bo"], 0), (["check", "--json", "\udcff.yaml", "x" * 300], 78)):
        out = io.TextIOWrapper(io.BytesIO(), encoding="ascii")
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stdin", None)
        assert main(words) == code
        sys.stdin.close()
        printed = out.buffer.getvalue().decode()  # type: ignore[attr-defined]
    assert [problem["file"] for problem in json.loads(printed)] == ["\udcff.yaml", "x" * 300]


@pytest.mark.parametrize(("words", "code", "message"), WRONG)
def test_wrong_words_get_one_sentence_and_a_command_needs_no_streams(
    words: str,
    code: int,
    message: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def ended() -> int | str | None:
        try:
            return main(words.split())
        except SystemExit as stop:
            return stop.code

    monkeypatch.chdir(folder)
    assert ended() == code
    printed = capsys.readouterr().err
    assert message in (printed.splitlines() or [""])[-1]
    assert "Traceback" not in printed
    assert not (folder / "record").exists(), "nothing was settled"
    monkeypatch.setattr(sys, "stdout", None)
    monkeypatch.setattr(sys, "stderr", None)
    assert ended() == code
    for stream in (sys.stdout, sys.stderr):
        stream.close()


STORES = [
    ("new.db", ""),
    ("floor.db", ""),
    ("", "names sqlite and no file"),
    (".", "is a folder; name a file"),
    ("none/new.db", "/none; make it"),
    ("d.journal", "the database has a table 'entries' that is not the floor's"),
    ("plain.yaml", "file is not a database"),
    ("/dev/full", "/dev/full is a device"),
    ("floor.db?mode=ro", "has the option mode"),
]


@pytest.mark.parametrize(("file", "said"), STORES)
def test_the_check_of_a_floor_says_at_its_line_what_cannot_be_its_store(
    file: str, said: str, folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(folder)
    Path("f.yaml").write_text(f"floor: f\nbroker: {json.dumps(BROKER)}\nstore:\n  url: sqlite:///{file}\n")
    prepare(made := make_engine("sqlite:///floor.db"))
    made.dispose()
    before = {one: one.read_bytes() for one in folder.iterdir()}
    assert main(["floor", "f.yaml", "--check"]) == 78
    first, *others = capsys.readouterr().err.splitlines()
    assert first.startswith("f.yaml:2:9: broker: ca.pem: ")
    assert [("f.yaml:4:8: store.url: " in one, said in one) for one in others] == [(True, True)] * bool(said)
    assert {one: one.read_bytes() for one in folder.iterdir()} == before


@pytest.mark.parametrize(
    ("error", "code", "said"),
    [
        (OSError(errno.EMFILE, "", "/x"), 1, "table-controller odds: /x: too many open files\n"),
        (OSError(errno.EFBIG, ""), 1, "table-controller odds: file too large\n"),
        (FileNotFoundError(errno.ENOENT, ""), 1, "table-controller odds: the working folder was deleted; change"),
        (PermissionError(errno.EACCES, "", "/x"), 1, "table-controller odds: /x: permission denied\n"),
        (ModuleNotFoundError("", name="gpiod"), 1, "table-controller: odds needs"),
        (BrokenPipeError(), 0, ""),
        (KeyboardInterrupt(), 130, ""),
    ],
)
def test_what_ends_a_command_is_no_traceback(
    error: BaseException, code: int, said: str, mocker, capfd: pytest.CaptureFixture[str]
) -> None:
    mocker.patch.object(odds, "run", side_effect=error)
    output = os.dup(1)
    assert main(["odds", "sic-bo"]) == code
    os.dup2(output, 1)
    os.close(output)
    assert capfd.readouterr().err.startswith(said)
    mocker.patch.object(odds, "run", side_effect=KeyError("a defect"))
    with pytest.raises(KeyError):
        main(["odds", "sic-bo"])


def test_a_path_that_cannot_be_looked_at_is_a_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another user's folder refuses as such a name or link does, but not root."""
    monkeypatch.chdir(tmp_path)
    Path("loop").symlink_to("loop")
    for words in ("check {}", "journal show {}", "replay 1 sic-bo --journal {}", "bench sic-bo --capture {}"):
        for place in ("x" * 300, "loop/table.yaml"):
            assert main(words.format(place).split()) in (1, 2, 78)
            assert place in capsys.readouterr().err


def test_output_that_cannot_be_written_is_a_sentence(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    with open("/dev/full", "w") as full:
        monkeypatch.setattr(sys, "stdout", full)
        assert main(["odds", "sic-bo"]) == 1
    assert capsys.readouterr().err == "table-controller odds: no space left on device\n"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(
    ("words", "variables", "coloured"),
    [
        ("check sic-bo", {"TERM": "xterm", "NO_COLOR": ""}, True),
        ("check sic-bo", {"TERM": "xterm", "NO_COLOR": "1"}, False),
        ("check sic-bo", {"TERM": "dumb"}, False),
        ("check sic-bo --json", {"TERM": "xterm"}, False),
    ],
)
def test_only_a_terminal_has_colours_unless_its_user_wants_none(
    words: str, variables: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    for stream, shown in ((Terminal(), coloured), (io.StringIO(), False)):
        monkeypatch.setattr(sys, "stdout", stream)
        assert main(words.split()) == 0
        assert ("\033" in stream.getvalue()) is shown


# -- the journal -------------------------------------------------------------------------------------------------


def test_the_journal_is_shown_by_round_exported_and_verified(
    opened: Callable[..., Rig], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "table.journal"
    table = opened("dreamcatcher", file)
    for stop in ("10", "2x"):
        table.press("no-more-bets")
        table.spin(stop_on=stop)
        table.press("done", "done", "clear")
    table.journal.close()

    def printed(*words: str) -> str:
        assert main(["journal", words[0], str(file), *words[1:]]) == 0
        return capsys.readouterr().out

    shown = printed("show", "--round", "1")
    assert "round 1" in shown
    assert "round 2\n" not in shown
    assert "RESULT 10: 10 pays 10 to 1" in shown
    last = printed("show", "--last", "1")
    assert "BONUS 2x: the next result pays 2 times" in last
    assert "REFUSED done: All wagers stay. Spin the wheel again." in last, "codes are said in the game's words"
    assert printed("show", "--round", "99") == "no entries\n"
    lines = [json.loads(line) for line in printed("export").splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    verdict = json.loads(printed("verify", "--json"))
    assert (verdict["problem"], verdict["head"]) == ("", lines[-1]["hash"])


@pytest.fixture
def central_europe(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as zone:
        zone.setenv("TZ", "CET-1CEST,M3.5.0,M10.5.0/3")
        time.tzset()
        yield
    time.tzset()


@pytest.mark.usefixtures("central_europe")
def test_every_command_prints_local_times_to_people_and_utc_for_programs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "table.journal")
    assert main(["bench", "roulette", "--demo", "--journal", file]) == 0
    capsys.readouterr()
    for words in ("journal show FILE", "journal inspections FILE", "replay 1 roulette --journal FILE"):
        main(words.replace("FILE", file).split())
        shown = capsys.readouterr().out
        assert not re.search(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", shown), words
        assert re.search(r"\d\d:\d\d:\d\d(\.\d{3})? CES?T", shown), words
    main(["journal", "export", file])
    assert all(json.loads(line)["utc"].endswith("Z") for line in capsys.readouterr().out.splitlines())
    main(["journal", "inspections", file, "--json"])
    assert all(row["time"].endswith("Z") for row in json.loads(capsys.readouterr().out))
