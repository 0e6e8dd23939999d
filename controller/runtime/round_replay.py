"""Replays a round with the machine and the sensors that the table's file configures.

Called by the command ``replay``.
"""

from contextlib import ExitStack
from pathlib import Path

from config.schema import TableConfig
from controller import __version__
from controller.configuration.machines import machines
from controller.configuration.shipped import LoadedTable
from controller.drawing.plots import Plot
from controller.events.event import MIRROR
from controller.journal.deciders import Decider
from controller.journal.errors import JournalDamagedError
from controller.journal.journal import Journal
from controller.journal.replay.edge_replay import Sensors
from controller.journal.replay.motion import plots
from controller.journal.replay.replay import ReplayedRound, replay
from controller.machine.registry import find_game
from controller.runtime.software import digest
from controller.runtime.table_client import traces_of
from controller.runtime.trackers import tracker

_BALL_QUIET_NS = 6_000_000_000
"""The slowest ball takes four seconds for a revolution; the tracker waits half as long again."""


def replay_round(number: int, loaded: LoadedTable, journal: Journal, file: Path) -> tuple[ReplayedRound, list[str]]:
    """The replayed round, and messages on edges that could not be read and on entries missing at the journal's end.

    Args:
        file: the journal's own, beside which edges may be kept.

    Raises:
        JournalError: there is no such round, or it cannot be read.
    """
    config, sensors, traces = loaded.config, sensors_of(loaded), None
    unread = [problem] if (problem := journal.missing_at_end()) else []
    with ExitStack() as stack:
        try:
            traces = stack.enter_context(traces_of(file)) if sensors is not None else None
        except JournalDamagedError as error:
            unread.append(f"the journal's events alone were replayed: {error}")
        return replay(number, config.game, machines(config), journal, traces, sensors), unread


def this_decider(loaded: LoadedTable) -> Decider:
    return Decider(__version__, digest(), loaded.digest)


def sensors_of(loaded: LoadedTable) -> Sensors | None:
    """The table's sensors for a replay; None for a table without a sensor head."""
    config = loaded.config
    make = tracker(config)
    if make is None:
        return None
    return Sensors(make, frozenset((*type(config.devices).model_fields, MIRROR)), quiet_ns(config))


def quiet_ns(config: TableConfig) -> int:
    """How long after the last edge a table's tracker may still find an event."""
    return 2 * config.wheel.rest_ns if config.wheel is not None else _BALL_QUIET_NS


def plots_of(replayed: ReplayedRound, loaded: LoadedTable) -> list[Plot]:
    """The movements of a round as plots; none if no edges are stored."""
    config, edge_replay = loaded.config, replayed.edge_replay
    section = config.wheel or config.rotor
    if section is None or edge_replay is None:
        return []
    order = (config.wheel.order if config.wheel is not None else ()) or find_game(config.game).wheel
    return [
        plot for run in edge_replay.runs for plot in plots(run, section.counts_per_turn, section.reversed, order)
    ]
