"""Manual pages: one of each command, which man(1) shows without a warning."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from controller.commands.cli import COMMANDS, main, parser
from controller.commands.manual_page import EXIT_STATUS, escaped, pages
from controller.runtime import exit_codes as exits

MACROS = {"TH", "SH", "SS", "PP", "TP", "RS", "RE", "B", "nf", "fi", "nh", "ad"}
PAGES = dict(pages(parser()[0]))


def test_there_is_a_page_of_the_program_and_of_each_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "new" / "man"
    assert main(["manual", str(folder)]) == exits.OK
    names = {"table-controller.1", *(f"table-controller-{name}.1" for name in COMMANDS)}
    assert {path.name for path in folder.iterdir()} == names
    assert f"{len(names)} manual pages" in capsys.readouterr().out


@pytest.mark.parametrize("name", PAGES)
def test_every_line_is_text_or_a_macro_of_man(name: str) -> None:
    for line in PAGES[name].splitlines():
        assert line.isascii()
        assert not line.startswith("'")
        if line.startswith("."):
            assert line[1:].split(" ")[0] in MACROS, line


@pytest.mark.skipif(shutil.which("groff") is None, reason="it formats manual pages: sudo apt install groff")
def test_groff_has_no_warning_and_loses_no_option(tmp_path: Path) -> None:
    main(["manual", str(tmp_path)])
    for file in sorted(tmp_path.iterdir()):
        command = ["groff", "-ww", "-man", "-Tutf8", "-P-c", "-rLL=200n", file]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert done.stderr == "", file.name
        shown = re.sub(".\x08", "", done.stdout)  # A bold letter is struck twice.
        for words in ("NAME", "SYNOPSIS", "DESCRIPTION", "EXIT STATUS", "ENVIRONMENT", "FILES"):
            assert f"\n{words}\n" in shown, file.name
        assert all(f"       {code} " in shown for code in EXIT_STATUS)


def test_a_page_has_every_option_and_example_of_its_command() -> None:
    top, modules = parser()
    for name, command, _ in top.actions():
        page = PAGES[f"table-controller-{name}.1"]
        for one in (command, *(action for _, action, _ in command.actions())):
            for option in re.findall(r"--[a-z-]+", one.format_usage()):
                assert f"\\fB{escaped(option)}\\fR" in page, (name, option)
        assert page.count(".nf") == len(modules[name].EXAMPLES)


def test_what_roff_would_take_for_its_own_is_printed_as_it_stands() -> None:
    assert escaped(".x 'y' \\ -z §") == r"\&.x \(aqy\(aq \e \-z \[u00A7]"
    assert escaped("first\n.second") == "first\n\\&.second"


def test_a_folder_that_cannot_be_made_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["manual", str(tmp_path / "file" / "man")]) == exits.FAILED
    assert "name another folder" in capsys.readouterr().err
