"""Completion in the shells themselves: commands, actions, options, choices, games and files of the right kind."""

import os
import pty
import select
import shutil
import subprocess
import time
from argparse import _HelpAction, _SubParsersAction
from pathlib import Path

import pytest

from controller.commands.cli import main, parser
from controller.commands.completion import KINDS, arguments_of, kind_of

PATIENCE_S = 120.0
VALUES = {
    *("N", "S", "TB", "KEY", "RECORD", "NONCE", "HH:MM", "MINUTES", "AMOUNT", "NUMBER", "TEXT", "TABLE", "NAME"),
    *(
        "PORT",
        "HOST:PORT",
        "CMD",
        "KEY=VALUE",
        "ROUND",
        "SHELL",
        "GAME",
        "COMMAND",
        "ACTION",
        "KIND",
        "TIME",
    ),
}
"""What only the person who types knows, or what has choices."""

CASES = [
    ("jour", ["journal"]),
    ("journal ", ["show", "export", "verify", "inspections", "quarantine"]),
    ("journal show --r", ["--round"]),
    ("journal show ", ["a.yaml", "old.journal"]),
    ("account people.json ", ["add", "reset", "remove", "list"]),
    ("account people.json add --role ", ["look", "acknowledge", "administer"]),
    ("limits a.yaml set --m", ["--minimum", "--maximum"]),
    ("settle a.yaml fork --keep ", ["stored", "disputed", "neither"]),
    ("odds ", ["big-six", "casino-war", "dreamcatcher", "roulette", "sic-bo", "three-dice-football", "a.yaml"]),
    ("simulate rou", ["roulette"]),
    ("bench --capture ", ["spin.vcd"]),
    ("journal quarantine a.yaml ", ["journal", "mirror"]),
    ("schema --f", ["--floor"]),
    ("completion ", ["bash", "zsh"]),
    ("manual ", ["folder"]),
    ("account people.json remove ", ["maria", "jo"]),
]
"""A line behind ``table-controller``, and all that it may go on with."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("a.yaml", "people.json", "old.journal", "spin.vcd"):
        (tmp_path / name).write_text("", encoding="utf-8")
    (tmp_path / "folder").mkdir()
    return tmp_path


@pytest.fixture
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of a program that lists two accounts, for what is completed with names."""
    folder = tmp_path_factory.mktemp("bin")
    (folder / "table-controller").write_text("#!/bin/sh\nprintf 'maria  look\\njo  look\\n'\n", encoding="utf-8")
    (folder / "table-controller").chmod(0o755)
    return folder


@pytest.fixture
def script(tmp_path_factory: pytest.TempPathFactory, capsys: pytest.CaptureFixture[str]) -> dict[str, Path]:
    folder = tmp_path_factory.mktemp("completion")
    files = {"bash": folder / "table-controller", "zsh": folder / "_table-controller"}
    for shell, file in files.items():
        assert main(["completion", shell]) == 0
        file.write_text(capsys.readouterr().out, encoding="utf-8")
    return files


def test_every_argument_of_every_command_is_completed_or_only_known_to_who_types() -> None:
    for action in arguments_of(parser()[0]):
        if action.choices is None and action.nargs != 0 and not isinstance(action, _HelpAction | _SubParsersAction):
            known = kind_of(action) or action.metavar in VALUES
            assert known, f"add {action.metavar} of {action.dest} to KINDS, or to VALUES here"
    assert set(KINDS.values()) <= {"tables", "files", "journals", "recordings", "folders", "accounts", "yaml"}


_ANSWER = """
source {script}
COMP_WORDS=(table-controller {words}{last}); COMP_CWORD=$((${{#COMP_WORDS[@]}} - 1)); COMPREPLY=()
_shtab_table_controller 2>/dev/null
printf '%s\\n' "${{COMPREPLY[@]}}"
"""


@pytest.mark.parametrize(("typed", "expected"), CASES)
def test_bash_completes(
    typed: str, expected: list[str], script: dict[str, Path], folder: Path, program: Path
) -> None:
    last = " ''" if typed.endswith(" ") else ""
    text = _ANSWER.format(script=script["bash"], words=typed.strip(), last=last)
    environment = {"PATH": f"{program}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "--norc", "-c", text], cwd=folder, env=environment, capture_output=True, text=True, check=True
    )
    found = set(done.stdout.split())
    assert found - {"folder"} == set(expected) - {"folder"}, done.stderr
    assert ("folder" in found) >= ("folder" in expected)


class Zsh:
    """An interactive zsh on a pseudo terminal, with this completion and nothing else."""

    def __init__(self, folder: Path, functions: Path, program: Path) -> None:
        self._pid, self._terminal = pty.fork()
        if not self._pid:
            os.chdir(folder)
            path = f"{program}:{os.environ['PATH']}"
            os.execvpe("zsh", ["zsh", "-f", "-i"], {"PATH": path, "TERM": "dumb", "HOME": str(folder)})
        os.write(self._terminal, f"fpath=({functions} $fpath); autoload -Uz compinit; compinit -u -D\n".encode())
        os.write(self._terminal, b"unsetopt LIST_AMBIGUOUS; bindkey '^U' kill-whole-line; print READY$((1+1))\n")
        self.read_until(["READY2"])

    def read_until(self, words: list[str]) -> str:
        """What is shown, up to the last of some words; all of it if they do not come."""
        shown, until = "", time.monotonic() + PATIENCE_S
        while not all(word in shown for word in words) and time.monotonic() < until:
            if select.select([self._terminal], [], [], 1)[0]:
                shown += os.read(self._terminal, 65536).decode(errors="replace")
        return shown

    def completed(self, typed: str, expected: list[str]) -> str:
        """What zsh shows for the tabulator behind a line."""
        os.write(self._terminal, f"table-controller {typed}\t".encode())
        shown = self.read_until(expected)
        os.write(self._terminal, b"\x15print NEXT$((1+1))\n")
        return shown + self.read_until(["NEXT2"])

    def close(self) -> None:
        os.write(self._terminal, b"\x15exit\n")
        os.waitpid(self._pid, 0)
        os.close(self._terminal)


@pytest.mark.skipif(shutil.which("zsh") is None, reason="the shell itself: sudo apt install zsh")
def test_zsh_completes(script: dict[str, Path], folder: Path, program: Path) -> None:
    zsh = Zsh(folder, script["zsh"].parent, program)
    for typed, expected in CASES:
        shown = zsh.completed(typed, expected)
        assert [word for word in expected if word not in shown] == [], (typed, shown)
        if "a.yaml" not in expected and "a.yaml" not in typed:
            assert "a.yaml" not in shown, typed
    zsh.close()
