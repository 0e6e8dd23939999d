"""A folder for cards, and one Pi that has been started with settings for Sic Bo."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from virtual_pi import IMAGE, Card, VirtualPi

NO_WATCHDOG = "table.watchdog=no systemd.watchdog_sec=0"
"""QEMU's watchdog starts the machine anew as soon as it is opened."""
SHELL = f"{NO_WATCHDOG} systemd.debug_shell=ttyS1"


@pytest.fixture(scope="session", autouse=True)
def image() -> None:
    if not IMAGE.exists():
        pytest.fail("there is no image yet: sudo make image", pytrace=False)


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cards")


@pytest.fixture(scope="module")
def card(folder: Path) -> Iterator[Card]:
    card = Card(folder)
    card.put(1, "first-start.yaml", "game: sic-bo\nname: table-7\n")
    yield card
    card.file.unlink()


@pytest.fixture(scope="module")
def pi(card: Card, folder: Path) -> Iterator[VirtualPi]:
    """Started with slot A; a shell answers."""
    pi = VirtualPi(card, folder, arguments=SHELL)
    try:
        pi.login()
        print(f"-- a shell after {pi.seconds():.0f} s")
        yield pi
    finally:
        pi.close()
