"""The charts of the floor's pages: what they show, and that a page with a strict policy may show them."""

from xml.etree import ElementTree

import pytest

from controller.floor.pages.charts import bars, stacked

SVG = "{http://www.w3.org/2000/svg}"


def titled(picture: str) -> list[tuple[float, float, str]]:
    """Width, height and words of each bar."""
    root = ElementTree.fromstring(picture)
    rects = [node for node in root.iter(f"{SVG}rect") if len(node)]
    return [(float(one.attrib["width"]), float(one.attrib["height"]), one[0].text or "") for one in rects]


PICTURES = [
    bars("a <title>", "about", [], {}, "rounds"),
    bars("t", "about", ["17:00", "<b>"], {"rounds": [0, 3]}, "rounds"),
    bars("t", "about", [""], {"<i>": [10**9], "two": [None]}),
    bars("t", "about", ["a"], {f"game-{number}": [number] for number in range(30)}),
    stacked("t", "about", []),
    stacked("t", "about", [("nobody", {}), ("<b>", {"bets-open": 3, "x&y": 0})]),
    stacked("t", "about", [("many", {f"state-{number}": number for number in range(30)})]),
]


@pytest.mark.parametrize("picture", PICTURES)
def test_charts_are_pictures_that_a_strict_page_may_show(picture: str) -> None:
    root = ElementTree.fromstring(picture)
    assert (root.attrib["role"], root[0].tag, root[1].tag) == ("img", f"{SVG}title", f"{SVG}desc")
    assert root[1].text == "about"
    for node in root.iter():
        assert node.tag.removeprefix(SVG) in {"svg", "g", "title", "desc", "rect", "text", "path"}
        assert not {name for name in node.attrib if name == "style" or name.startswith(("on", "href"))}
        for name in ("width", "height"):
            assert float(node.attrib.get(name, 0)) >= 0


def test_a_stacked_bar_is_divided_as_its_parts_are() -> None:
    parts = titled(stacked("t", "about", [("one", {"bets-open": 30, "result": 10, "locked": 0})]))
    assert [words for *_, words in parts] == ["one, bets open: 75 %", "one, result: 25 %"]
    assert parts[0][0] == pytest.approx(3 * parts[1][0], abs=0.2)


def test_a_column_is_as_high_as_its_value() -> None:
    parts = titled(bars("t", "about", ["a", "b", "c"], {"rounds": [10, 40, 0]}, "rounds"))
    words = [words for *_, words in parts]
    assert words == ["a, rounds: 10", "b, rounds: 40", "c, rounds: 0"]
    assert parts[1][1] == pytest.approx(4 * parts[0][1], abs=0.2)
