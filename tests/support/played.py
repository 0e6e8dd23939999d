"""Journals of whole tables, played on simulated hardware."""

import random
from pathlib import Path

from faulty_dealer import DealerAmongFaults, FaultSettings

from config.schema import TableConfig
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, shipped_tables
from controller.journal.journal import Journal


class Played:
    """A table of a game that has played some rounds, with faults; its journal is open until :meth:`finish`.

    Args:
        fault_rate: the part of the spins or rolls in which something breaks.
    """

    def __init__(self, game: str, file: Path, rounds: int, seed: int = 1, fault_rate: float = 0.1) -> None:
        self._oracle = Oracle()
        config = load_table(shipped_tables()[game]).config
        self.rig = Rig(config, file, {"seed": seed}, listeners=(self._oracle,))
        self.file = file
        self.more(rounds, seed, fault_rate)

    @property
    def config(self) -> TableConfig:
        return self.rig.config

    @property
    def journal(self) -> Journal:
        return self.rig.journal

    def more(self, rounds: int, seed: int, fault_rate: float = 0.1) -> None:
        """Play on."""
        DealerAmongFaults(self.rig, random.Random(seed), self._oracle, FaultSettings(rate=fault_rate)).play(rounds)

    def finish(self) -> None:
        """The table's process ends."""
        self.rig.table.stop()
        self.rig.journal.close()
