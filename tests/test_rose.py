"""The rose of a wheel: what it draws is what was counted, and a page under a strict policy can hold it."""

import math
import re
from xml.etree import ElementTree

import pytest

from controller.fairness.rose import rose

LABELS = [f"l{n}" for n in range(54)]
NAMESPACE = "{http://www.w3.org/2000/svg}"
BARS = re.compile(r"M320 342L([0-9.]+) ([0-9.]+)A")


def bars(svg: str) -> list[float]:
    """The length of each bar."""
    return [math.hypot(float(x) - 320, float(y) - 342) for x, y in BARS.findall(svg)]


def test_the_bars_are_as_long_as_the_counts_and_stand_clockwise_from_the_top() -> None:
    counts = [100 + n for n in range(54)]
    svg = rose({"clockwise": counts, "counterclockwise": [0] * 54, "": [0] * 54}, LABELS, "wheel 7")
    lengths = bars(svg)
    assert [length / lengths[0] for length in lengths] == pytest.approx([n / 100 for n in counts], rel=1e-3)
    x, y = map(float, BARS.findall(svg)[14])  # A little more than a quarter of the way round: at the right.
    assert x > 320
    assert abs(y - 342) < lengths[14] / 4


def test_directions_are_told_apart_and_the_words_say_what_the_picture_says() -> None:
    svg = rose({"clockwise": [10] * 54, "counterclockwise": [20] * 53 + [80]}, LABELS, "wheel <7>")
    tree = ElementTree.fromstring(svg)
    words = "".join(tree.itertext())
    assert "clockwise alone: 540" in words
    assert "counterclockwise alone: 1140" in words.replace(",", "")
    assert "wheel <7>" in words
    described = tree.find(f"{NAMESPACE}desc")
    assert described is not None
    assert "Most often section 54 (l53): 90" in str(described.text)
    assert "1,680 spins on 54 sections" in str(described.text)


@pytest.mark.parametrize("counts", [{}, {"": [0] * 38}, {"": [1] + [0] * 37}, {"clockwise": [10**7] * 38}])
def test_few_spins_none_or_millions_are_drawn(counts: dict[str, list[int]]) -> None:
    svg = rose(counts, ["0", "00", *map(str, range(1, 37))], "wheel")
    tree = ElementTree.fromstring(svg)
    assert not re.search("nan|inf", svg)
    if not sum(map(sum, counts.values())):
        assert "no spins yet" in "".join(tree.itertext())
    assert all(length <= 251 for length in bars(svg))


def test_nothing_in_it_runs_loads_or_needs_a_style() -> None:
    svg = rose({"": [5] * 37}, [], "wheel")
    assert not re.search(r"style=|<style|<script|href|url\(|on[a-z]+=", svg)


def test_wrong_counts_are_refused() -> None:
    for counts, labels in (({"": [1, 2], "clockwise": [1]}, []), ({}, [])):
        with pytest.raises(ValueError, match="one length"):
            rose(counts, labels, "wheel")
