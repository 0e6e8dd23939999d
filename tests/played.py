"""Journals of whole tables, played on simulated hardware."""

import random
from pathlib import Path

from controller.bench.rig import Rig
from controller.bench.troubles import TroubledDealer, TroubleSettings
from controller.bench.witness import Witness
from controller.tables import load_table, shipped_tables


def played(game: str, journal: Path, rounds: int, seed: int = 1, trouble: float = 0.1) -> Rig:
    """A table of a game that has played some rounds, with trouble; its journal is open until ``finish``.

    Args:
        trouble: the part of the spins or rolls in which something breaks.
    """
    witness = Witness()
    rig = Rig(load_table(shipped_tables()[game]).config, journal, {"seed": seed}, listeners=(witness,))
    more(rig, witness, rounds, seed, trouble)
    return rig


def more(rig: Rig, witness: Witness, rounds: int, seed: int, trouble: float = 0.1) -> None:
    """Play on."""
    TroubledDealer(rig, random.Random(seed), witness, TroubleSettings(rate=trouble)).play(rounds)


def finish(rig: Rig) -> None:
    """The table's process ends."""
    rig.table.stop()
    rig.journal.close()
