"""Tables on simulated hardware and virtual time, opened and ready for wagers."""

import gc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.internal.conjecture import providers
from open_tables import opened as open_table

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.configuration import this_computer
from controller.configuration.shipped import load_table, shipped_tables
from controller.runtime import table_client
from controller.web import serving

# Property tests draw the same cases in every run, from the test's own source; ``--hypothesis-profile=explore
# --hypothesis-seed=7`` draws new ones. Neither keeps cases of earlier runs, nor limits how long one may take.
for name, same in (("explore", False), ("fixed", True)):
    settings.register_profile(name, derandomize=same, database=None, deadline=None)
settings.load_profile("fixed")
# Constants of the modules that are loaded would be drawn, too: others in another order of the tests. There is no
# setting for that.
providers._get_local_constants = lambda: providers._local_constants
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


@pytest.fixture
def opened(shipped: Callable[[str], TableConfig]) -> Iterator[Callable[..., Rig]]:
    """Makes a table of a game that is open for wagers; keywords are the Rig's. Its journal is closed at the end."""
    made: list[Rig] = []

    def make(game: str, journal: Path | None = None, **options: object) -> Rig:
        made.append(open_table(shipped(game), journal, options=options))
        return made[-1]

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
