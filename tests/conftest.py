"""Tables on simulated hardware and virtual time, opened and ready for wagers."""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from dice_inspection import open_dice
from drawing import draw_the_same_everywhere

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration import this_computer
from controller.configuration.shipped import load_table, shipped_tables
from controller.runtime import table_client
from controller.web import serving

draw_the_same_everywhere()
# Python searches for cycles of objects after each 700 new objects. With all that the tests load, this takes a tenth
# of their time.
gc.set_threshold(50_000, *gc.get_threshold()[1:])

# How long pages wait for a browser, and commands for a table: longer here, for a busy machine.
for module, limit in ((serving, "REQUEST_S"), (serving, "ANSWER_S"), (table_client, "_TIMEOUT_S")):
    setattr(module, limit, 20 * getattr(module, limit))

# A test's folders may lie in memory or on an overlay.
this_computer.MOUNTS = Path("/nowhere")


@pytest.fixture(scope="session")
def shipped() -> Callable[[str], TableConfig]:
    """A shipped table's configuration, by game."""
    tables = {name: load_table(path).config for name, path in shipped_tables().items()}
    return tables.__getitem__


def open_wheel(rig: Rig) -> Rig:
    """Turn the wheel once by hand so that its position is known."""
    rig.turn(1.2)
    assert rig.state.value == "bets-open", rig.waiting_for
    return rig


@pytest.fixture
def opened(shipped: Callable[[str], TableConfig]) -> Iterator[Callable[..., Rig]]:
    """Makes a table of a game that is open for wagers; keywords are the Rig's. Its journal is closed at the end."""
    made: list[Rig] = []

    def make(game: str, journal: Path | None = None, **options: object) -> Rig:
        config = shipped(game)
        rig = Rig(config, journal, options=options)
        made.append(rig)
        return open_wheel(rig) if config.wheel is not None else open_dice(rig)

    yield make
    for rig in made:
        rig.journal.close()


@pytest.fixture
def dreamcatcher(opened: Callable[..., Rig]) -> Rig:
    return opened("dreamcatcher")


@pytest.fixture
def big_six(opened: Callable[..., Rig]) -> Rig:
    return opened("big-six")


@pytest.fixture
def sic_bo(opened: Callable[..., Rig]) -> Rig:
    return opened("sic-bo")
