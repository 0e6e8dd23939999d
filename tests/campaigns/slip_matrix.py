"""The fault matrix with the slips of people. See :mod:`campaigns.slip_kinds`.

``docs/faults.md`` shows what came of them; ``python -m campaigns.faults_page`` plays this and the matrix without.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from campaigns.fault_cases import Case, Cell
from campaigns.fault_matrix import GAMES, Fault, Part, configuration, faults, outcome
from campaigns.slip_cases import SlipCase
from campaigns.slip_kinds import Slip, rotation

from config.schema import TableConfig
from controller.bench.ways import states, way
from controller.bench.workers import spread


@dataclass(frozen=True, slots=True)
class SlipCell:
    """What came of a fault and a slip.

    Attributes:
        cell: the same as of a fault alone.
    """

    state: str
    fault: Fault
    slip: Slip
    cell: Cell

    @property
    def name(self) -> str:
        """Where and after what."""
        return f"{self.state}, {self.fault}, {self.slip}"

    @property
    def failures(self) -> Iterator[str]:
        for failure in self.cell.failures:
            yield f"{self.name}: {failure}"


OPEN: Mapping[tuple[str, str], str] = {}
"""Findings that are open, by game and cell: their failures do not count. One that does not fail any more is one."""
SlipMatrix = Mapping[str, Sequence[SlipCell]]
"""By game."""
Chosen = Callable[[Fault, Slip], bool]


def slip_column(config: TableConfig, state: str, chosen: Chosen = lambda fault, slip: True) -> Iterator[SlipCell]:
    """The cells of one state that are wanted.

    Raises:
        NoWayError: the table does not come into the state.
    """
    leads, number = way(config.game, state), states(config.game).index(state)
    usual = Case(config, state, leads).usual()
    lamps = tuple(config.devices.panel.lamps)
    for row, fault in enumerate(faults(config)):
        broken = fault.strikes(usual, lamps)
        slip = rotation(config, number, row)
        if broken is not None and chosen(fault, slip):
            yield SlipCell(state, fault, slip, SlipCase(config, state, leads, broken, slip, usual).play(usual))


def play_slips(part: Part) -> tuple[SlipCell, ...]:
    """Every cell of one state."""
    return tuple(slip_column(configuration(part.game), part.state))


def slip_matrix(
    games: Sequence[str] = GAMES, workers: int = 1, progress: Callable[[int], None] = lambda states: None
) -> SlipMatrix:
    """The whole of these games; the same however many workers there are.

    Args:
        progress: called with the number of states since its last call.
    """
    parts = [Part(game, state) for game in games for state in states(game)]
    done: dict[int, tuple[SlipCell, ...]] = {}
    for number, cells in spread(play_slips, parts, workers):
        done[number] = cells
        progress(1)
    played: dict[str, list[SlipCell]] = {game: [] for game in games}
    for number, part in enumerate(parts):
        played[part.game].extend(done[number])
    return played


def judged(game: str, cell: SlipCell) -> Iterator[str]:
    """What is wrong with a cell, beside what is open."""
    if (game, cell.name) not in OPEN:
        yield from (f"{game}, {failure}" for failure in cell.failures)
    elif not cell.cell.failures:
        yield f"{game}, {cell.name}: does not fail any more: no finding is open there"


def slip_failures(played: SlipMatrix) -> Iterator[str]:
    """Each failure, where and after what."""
    for game, cells in played.items():
        for cell in cells:
            yield from judged(game, cell)


def slip_counts(cells: Sequence[SlipCell]) -> Counter[str]:
    """How often there was each outcome."""
    return Counter(outcome(one.cell) for one in cells)
