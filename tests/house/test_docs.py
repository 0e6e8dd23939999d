"""Documents that are drawn from the code are current, and every file that they name exists."""

import re
from pathlib import Path

import pytest
from project import ROOT

from controller.configuration.shipped import load_table, shipped_tables
from tools import event_documents, position_drawings, wiring
from tools.diagrams import FILE, page
from tools.significant_events import EVENTS

PAGES = sorted(path.relative_to(ROOT) for path in (*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")))


def test_the_state_diagrams_are_current() -> None:
    assert FILE.read_text(encoding="utf-8") == page(), "run: make docs"


def test_the_significant_events_are_current_and_none_is_missing() -> None:
    assert event_documents.FILE.read_text(encoding="utf-8") == event_documents.page(), "run: make docs"
    missing = event_documents.kinds().keys() - event_documents.named()
    assert not missing, "add them to EVENTS in tools/significant_events.py, or to ORDINARY"


def test_every_test_of_a_significant_event_exists() -> None:
    for event in EVENTS:
        assert event.tests, event.name
        for test in event.tests:
            file, _, name = test.partition("::")
            written = (ROOT / "tests" / file).read_text(encoding="utf-8")
            assert re.search(rf"^(async )?def {name}\(", written, re.MULTILINE), test


def test_the_wiring_matches_the_shipped_tables() -> None:
    assert wiring.FILE.read_text(encoding="utf-8") == wiring.page(), "run: make docs"
    for game in shipped_tables():
        drawn = (wiring.FOLDER / f"wiring-{game}.svg").read_text(encoding="utf-8")
        assert drawn == wiring.picture(game), "run: make docs"


def test_the_drawings_of_a_wheel_are_those_of_the_simulation() -> None:
    page = (ROOT / "docs" / "position.md").read_text(encoding="utf-8")
    for name, drawing in position_drawings.drawings().items():
        assert (position_drawings.FOLDER / name).read_text(encoding="utf-8") == drawing, "run: make docs"
        assert f"]({name})" in page


def test_the_spins_that_are_drawn_are_what_their_titles_say() -> None:
    drawn = position_drawings.drawings()["position-spins.svg"]
    places = [drawn.index(words) for words in (">a spin<", ">void: braked, by ", ">void: pushed")]
    assert places == sorted(places)


@pytest.mark.parametrize("game", sorted(shipped_tables()))
def test_every_pin_of_a_table_is_in_its_wiring_with_the_place_that_its_file_names(game: str) -> None:
    """The comment behind a pin in the YAML ("header pin 11") and the header as the board has it."""
    text = shipped_tables()[game].read_text(encoding="utf-8")
    commented = {int(bcm): int(pin) for bcm, pin in re.findall(r": (\d+) # header pin (\d+)", text)}
    drawn = {wire.bcm: wire.header for wire in wiring.wires(load_table(shipped_tables()[game]).config)}
    assert commented.items() <= drawn.items()
    assert len(drawn) == len(list(wiring.wires(load_table(shipped_tables()[game]).config)))


@pytest.mark.parametrize("file", PAGES, ids=str)
def test_links_within_the_project_lead_somewhere(file: Path) -> None:
    text = (ROOT / file).read_text(encoding="utf-8")
    targets = re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)|src=\"([^\":]+)\"", text)
    missing = [t for pair in targets for t in pair if t and not (ROOT / file.parent / t).exists()]
    assert not missing


def test_the_readme_names_every_shipped_table() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert all(f"config/tables/{name}.yaml" in readme for name in shipped_tables())
