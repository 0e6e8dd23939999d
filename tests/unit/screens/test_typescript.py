"""The types that the scripts of the pages are checked against are those of the documents that they receive."""

import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from project import ROOT

from tools.typescript import FILES, FOLDER, UnknownTypeError, declarations, written

BEGINNING = """
from enum import Enum
from typing import Annotated, Literal, NotRequired, TypedDict
"""


@pytest.fixture
def of(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], str]:
    """The types written for a module with this text."""

    def write(text: str) -> str:
        file = tmp_path / "shown.py"
        file.write_text(BEGINNING + text, encoding="utf-8")
        module = ModuleType("shown")
        module.__file__ = str(file)
        monkeypatch.setitem(sys.modules, "shown", module)
        exec(compile(file.read_text(encoding="utf-8"), file, "exec"), module.__dict__)
        return declarations([module])

    return write


@pytest.mark.parametrize("name", FILES)
def test_the_types_of_the_scripts_are_current(name: str) -> None:
    assert (FOLDER / name).read_text(encoding="utf-8") == written(name), "run: make docs"


def test_no_other_file_of_types_remains() -> None:
    assert {file.name for file in FOLDER.iterdir()} == set(FILES)


@pytest.mark.parametrize(
    ("python", "typescript"),
    [
        ("str", "string"),
        ("int", "number"),
        ("float", "number"),
        ("bool", "boolean"),
        ("float | None", "number | null"),
        ("list[str]", "string[]"),
        ("list[int | None]", "(number | null)[]"),
        ("list[list[bool]]", "boolean[][]"),
        ("dict[str, list[int]]", "Record<string, number[]>"),
        ("tuple[str, int]", "[string, number]"),
        ("Literal['on', 'off']", '"on" | "off"'),
        ("Way", "Way"),
        ("list[Way]", "Way[]"),
        ("Annotated[str, Colour]", '"red" | "black"'),
        ("Inner | None", "Inner | null"),
        ("'Inner'", "Inner"),
    ],
)
def test_a_type_is_written_as_json_has_it(of: Callable[[str], str], python: str, typescript: str) -> None:
    text = of(
        f"""
Way = Literal["left", "right"]
class Colour(Enum):
    RED = "red"
    BLACK = "black"
class Inner(TypedDict):
    at: int
class Shown(TypedDict):
    field: {python}
"""
    )
    assert text.endswith(f"export interface Shown {{\n  field: {typescript};\n}}\n")


def test_a_name_for_a_union_is_written_once_and_used(of: Callable[[str], str]) -> None:
    text = of(
        '''
class One(TypedDict):
    """The one."""
class Other(TypedDict):
    other: int
    """With ``words``."""
Either = One | Other
"""Both are possible."""
class Shown(Other):
    either: Either
    maybe: NotRequired[str]
'''
    )
    assert (
        text.partition("// shown\n")[2]
        == """
/** The one. */
export interface One {}

export interface Other {
  /** With `words`. */
  other: number;
}

/** Both are possible. */
export type Either = One | Other;

export interface Shown extends Other {
  either: Either;
  maybe?: string;
}
"""
    )


def test_a_key_that_python_cannot_name_is_written(of: Callable[[str], str]) -> None:
    assert "export interface Move {\n  from: string;\n  to: string;\n}" in of(
        'Move = TypedDict("Move", {"from": str, "to": str})'
    )


@pytest.mark.parametrize("python", ["object", "dict[int, str]", "tuple[int, ...]", "set[str]", "Elsewhere"])
def test_an_unsupported_type_is_refused_naming_its_place(of: Callable[[str], str], python: str) -> None:
    imported = "from controller.viewmodel.figures import AreaRow as Elsewhere"
    with pytest.raises(UnknownTypeError, match=r"^shown\.Shown\.field: .* is no type of a document"):
        of(f"{imported}\nclass Shown(TypedDict):\n    field: {python}")


# -- the check of the scripts --------------------------------------------------------------------------------------


@pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")
@pytest.mark.parametrize(("ci", "fails"), [("", False), ("true", True)])
def test_without_npm_the_check_of_scripts_is_skipped_with_a_message(tmp_path: Path, ci: str, fails: bool) -> None:
    make = str(shutil.which("make"))
    command = [make, "--no-print-directory", "types-of-scripts"]
    environment = {"PATH": str(tmp_path), "CI": ci}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, check=False)
    assert bool(done.returncode) is fails
    assert done.stdout.count("\n") == 1
    assert done.stdout.startswith("left out: the types of the pages' scripts")


def test_every_script_is_checked_and_none_disables_the_check() -> None:
    scripts = sorted(ROOT.glob("controller/**/*.js"))
    folders = {script.parent for script in scripts if script.parent.parent != ROOT / "controller/games"}
    assert {folder.relative_to(ROOT).as_posix() for folder in folders} == {
        "controller/screens/assets",
        "controller/floor/pages/assets",
        "controller/door/assets",
    }
    for script in scripts:
        text = script.read_text(encoding="utf-8")
        assert text.startswith("// @ts-check\n"), script
        assert not [
            word for word in ("@ts-ignore", "@ts-nocheck", "@ts-expect-error", "{any", "<any") if word in text
        ]
