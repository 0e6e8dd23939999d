"""The rose: what it draws is what was counted, and any page can embed it."""

import math
import re
from collections.abc import Mapping, Sequence
from xml.etree import ElementTree

import pytest

from controller.fairness.rose import rose
from controller.games.dreamcatcher.game import ORDER

SVG = "{http://www.w3.org/2000/svg}"
CENTRE = (320.0, 342.0)
ALLOWED = {"svg", "title", "desc", "rect", "text", "path", "circle"}
FAIR = {"clockwise": [100] * 54, "counterclockwise": [100] * 54}


def picture(counts: Mapping[str, Sequence[int]], labels: Sequence[str] = ORDER) -> ElementTree.Element:
    return ElementTree.fromstring(rose(counts, labels, "Wheel 7"))


def bars(root: ElementTree.Element) -> list[ElementTree.Element]:
    return [path for path in root.iter(f"{SVG}path") if path.find(f"{SVG}title") is not None]


def ends(path: ElementTree.Element) -> list[tuple[float, float]]:
    """Both ends of a path's arcs as radius and angle, clockwise from the top, in degrees."""
    found = []
    for x, y in re.findall(r"[ML](\S+) (\S+?)A", path.attrib["d"]):
        found.append(polar(float(x), float(y)))
    for x, y in re.findall(r"A\S+ \S+ 0 [01] 1 (\S+) ([-.\d]+)", path.attrib["d"]):
        found.append(polar(float(x), float(y)))
    return found


def polar(x: float, y: float) -> tuple[float, float]:
    across, up = x - CENTRE[0], CENTRE[1] - y
    return math.hypot(across, up), math.degrees(math.atan2(across, up)) % 360


def circles(root: ElementTree.Element) -> list[float]:
    return [float(circle.attrib["r"]) for circle in root.iter(f"{SVG}circle")]


def words(root: ElementTree.Element) -> str:
    return " | ".join("".join(text.itertext()) for text in root.iter(f"{SVG}text"))


def test_bars_are_as_long_as_their_counts_and_lie_at_their_sections() -> None:
    counts = [100 + 3 * (at % 5) for at in range(54)]
    root = picture({"": counts})
    expected = circles(root)[0]
    assert len(bars(root)) == 54
    for at, bar in enumerate(bars(root)):
        (radius, first), (_, last) = ends(bar)
        assert radius / expected == pytest.approx(counts[at] * 54 / sum(counts), abs=1e-3)
        middle = (first + (last - first) % 360 / 2) % 360
        assert (middle - at * 360 / 54 + 180) % 360 == pytest.approx(180, abs=0.05)


def test_the_circles_are_what_is_expected_and_two_standard_errors() -> None:
    expected, low, high = circles(picture({"": [100] * 54}))
    error = math.sqrt(5400 / 54 * (1 - 1 / 54)) / 100
    assert low / expected == pytest.approx(1 - 2 * error, abs=1e-3)
    assert high / expected == pytest.approx(1 + 2 * error, abs=1e-3)


@pytest.mark.parametrize("counts", [{}, FAIR, {"": [7] + [0] * 53}])
def test_it_can_be_embedded_in_any_page(counts: dict[str, list[int]]) -> None:
    """No script, nothing from elsewhere, no style attribute, no names that two pictures in a page would share."""
    root = picture(counts)
    for element in root.iter():
        assert element.tag.removeprefix(SVG) in ALLOWED
        for name in element.attrib:
            assert name not in {"style", "class", "id", "href"}
            assert not name.startswith(("on", "{"))
    assert "url(" not in rose(counts, ORDER, "x")


def test_labels_and_titles_are_text_whatever_is_in_them() -> None:
    root = ElementTree.fromstring(rose({"": [1, 2, 3]}, ["<b>", "a & b", "a very long label"], 'W "1" <script>'))
    assert root[0].text == 'W "1" <script>'
    assert {"<b>", "a & b", "a ver…"} <= set(words(root).split(" | "))


@pytest.mark.parametrize(
    ("counts", "labels"), [({}, ()), ({"": []}, ("1",)), ({"clockwise": [1, 2], "": [1, 2, 3]}, ())]
)
def test_invalid_counts_are_refused(counts: dict[str, list[int]], labels: Sequence[str]) -> None:
    with pytest.raises(ValueError, match="must be of one length"):
        rose(counts, labels, "x")
