"""The same commit draws the same cases, whatever else is tested with it."""

import importlib
from pathlib import Path

import pytest
from drawing import FIXED, draw_the_same_everywhere
from hypothesis import given, settings
from hypothesis import strategies as st


def drawn() -> list[tuple[int, str]]:
    """The cases of a property."""
    cases: list[tuple[int, str]] = []

    @settings(settings.get_profile(FIXED), max_examples=300)
    @given(st.integers(), st.text(max_size=20))
    def see(number: int, text: str) -> None:
        cases.append((number, text))

    see()
    return cases


def test_a_property_draws_the_same_cases_whatever_modules_are_loaded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = drawn()
    numbers = ", ".join(str(7_000_001 + 3 * n) for n in range(500))
    (tmp_path / "full_of_constants.py").write_text(f"ALL = [{numbers}, 'a text of its own']\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.import_module("full_of_constants")
    assert drawn() == before
    assert len(set(before)) > 200


def test_the_suite_draws_from_the_test_alone_and_sets_no_deadline() -> None:
    loaded = settings.get_current_profile_name()
    draw_the_same_everywhere()
    assert (settings().derandomize, settings().database, settings().deadline) == (True, None, None)
    settings.load_profile(loaded)
