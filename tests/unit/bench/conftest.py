"""Benches on virtual time, closed after each test."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bench_page import Page

from config.schema import TableConfig

Shipped = Callable[[str], TableConfig]


@pytest.fixture
def page(shipped: Shipped) -> Iterator[Callable[..., Page]]:
    """Makes the page of a game's bench."""
    pages: list[Page] = []

    def make(game: str, journal: Path | None = None) -> Page:
        pages.append(Page(shipped(game), journal))
        return pages[-1]

    yield make
    for made in pages:
        made.bench.close()
