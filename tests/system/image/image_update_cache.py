"""The same update on a card with a cache of its own: for image_update_cuts.py, which loses what was not flushed."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import SHELL
from image_update import NEWER, PLAYS, find_good, install
from made_bundle import make_bundle, make_stick
from update_log import FIRST_TRY, LOGS, begin, keep
from virtual_board import VirtualBoard, count_try
from virtual_pi import Card


@pytest.fixture
def card(folder: Path) -> Iterator[Card]:
    card = Card(folder)
    card.put(1, "first-start.yaml", "game: sic-bo\nname: table-7\n")
    yield card
    card.file.unlink()


def test_an_update_on_a_card_with_a_cache(card: Card, folder: Path) -> None:
    bundle = make_bundle(folder / "cached", NEWER, SHELL)
    stick = make_stick(folder / "cached-stick.img", bundle.file, PLAYS)
    pi = VirtualBoard(card, folder, arguments=SHELL, stick=stick, log=begin("cache", card, bundle, "install"))
    try:
        record = install(pi, bundle)
    finally:
        pi.close()
        keep("cache", "install")
    log = begin("cache", card, bundle, "first-start")
    slot, sector = count_try(card)
    assert slot == "B"
    (LOGS["cache"] / FIRST_TRY).write_bytes(sector)
    pi = VirtualBoard(card, folder, slot="B", arguments=SHELL, log=log)
    try:
        find_good(pi, bundle, record)
    finally:
        pi.close()
        keep("cache", "first-start")
