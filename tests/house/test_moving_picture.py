"""The moving picture of README.md: small, still for who wants that, and each line seen in its time."""

from io import StringIO
from xml.etree import ElementTree

from rich.console import Console

from tools.bench_picture import PICTURE
from tools.moving_picture import moving


def drawn(text: str) -> str:
    """A text on a terminal, as Rich draws it."""
    console = Console(record=True, width=20, file=StringIO(), force_terminal=True, _environ={})
    console.print(text, end="")
    return console.export_svg(title="bench", unique_id="bench")


def test_the_picture_is_small_and_stands_still_for_who_wants_that() -> None:
    text = PICTURE.read_text(encoding="utf-8")
    assert PICTURE.stat().st_size < 300_000
    assert "@media (prefers-reduced-motion: reduce) { .v { animation: none } }" in text
    ends = [line for line in text.splitlines() if ' end">' in line]
    assert any(">RESULT<" in line.replace("&#160;", "") for line in ends), "the last picture is what stays"
    assert not any(">RESPIN<" in line.replace("&#160;", "") for line in ends)


def test_each_line_is_seen_in_its_time_and_one_that_stays_is_there_once() -> None:
    film = moving([drawn(f"{word}\nsame") for word in ("one", "one", "two")], [1, 2, 1])
    assert [film.count(f">{word}<") for word in ("one", "two", "same")] == [1, 1, 1]
    assert "@keyframes v0-2 { 0.00% { visibility: visible } 75.00% { visibility: hidden } }" in film
    assert "@keyframes v2-3 { 0% { visibility: hidden } 75.00% { visibility: visible } }" in film
    assert 'class="v v2-3 end"' in film
    assert "animation: 4s step-end infinite" in film


def test_a_style_has_one_name_in_all_pictures() -> None:
    film = ElementTree.fromstring(moving([drawn("[red]a[/]"), drawn("[green]b[/][red]c[/]")], [1, 1]))
    classes = {text.text: text.get("class") for text in film.iter("{http://www.w3.org/2000/svg}text") if text.text}
    assert classes["a"] == classes["c"] != classes["b"]
