"""The sheet names pictures that differ from the approved ones; other letters of the same words do not differ."""

from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from tools.contact_sheet import main

Box = tuple[int, int, int, int]
TITLE: Box = (40, 20, 400, 60)
NAME = "sic-bo-09-result-board-800x480"


def _page(folder: Path, *boxes: Box, name: str = NAME, ink: str = "#ffd870") -> None:
    picture = Image.new("RGB", (800, 480), "#0a1d15")
    for box in boxes:
        ImageDraw.Draw(picture).rectangle(box, fill=ink)
    folder.mkdir(exist_ok=True)
    picture.save(folder / f"{name}.png")


@pytest.fixture
def folders(tmp_path: Path) -> list[str]:
    """Of the pictures and of the approved ones; one picture is approved."""
    _page(tmp_path / "pictures", TITLE, (40, 200, 300, 400))
    found = [str(tmp_path / "pictures"), str(tmp_path / "approved")]
    assert main([*found, "--approve"]) == 0
    return found


def _sheet(folders: list[str]) -> str:
    return Path(folders[0], "index.html").read_text(encoding="utf-8")


def test_the_same_pictures_are_as_approved(folders: list[str]) -> None:
    assert main(folders) == 0
    assert "0 of them not as approved" in _sheet(folders)


def test_a_shade_less_and_a_pixel_beside_are_no_difference(folders: list[str]) -> None:
    _page(Path(folders[0]), (41, 20, 401, 60), (40, 201, 300, 400), ink="#f4d06c")
    assert main(folders) == 0


@pytest.mark.parametrize(
    "boxes",
    [
        (TITLE, (60, 200, 320, 400)),
        (TITLE,),
        (TITLE, (40, 200, 300, 400), (600, 300, 700, 330)),
    ],
    ids=["moved", "gone", "come"],
)
def test_what_moves_goes_or_comes_is_named(
    boxes: tuple[Box, ...], folders: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    _page(Path(folders[0]), *boxes)
    assert main(folders) == 1
    assert f"{NAME}: changed" in capsys.readouterr().out
    assert "What is not as approved" in _sheet(folders)
    assert main([*folders, "--approve"]) == 0
    assert main(folders) == 0


def test_a_new_picture_and_one_that_was_not_taken_are_named(
    folders: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    other = NAME.replace("result", "entry")
    Path(folders[0], f"{NAME}.png").rename(Path(folders[0], f"{other}.png"))
    assert main(folders) == 1
    said = capsys.readouterr().out
    assert f"{other}: new" in said
    assert f"{NAME}: approved, and not taken" in said


def test_a_turning_wheel_is_shown_and_compared_with_nothing(folders: list[str]) -> None:
    turning = "dreamcatcher-04-spinning-board-800x480"
    _page(Path(folders[0]), TITLE, name=turning)
    assert main(folders) == 0
    assert turning in _sheet(folders)


def test_an_empty_folder_says_what_takes_pictures(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path), str(tmp_path)])
    assert "make screens takes them" in capsys.readouterr().err
