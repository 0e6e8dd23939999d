"""The demonstration: ten rounds on simulated hardware and virtual time, as a transcript. Used by ``bench``.

The rounds are in each game's ``bench.py`` (:mod:`controller.bench.registry`).
"""

import textwrap
from collections import Counter
from pathlib import Path
from typing import TextIO

from config.schema import TableConfig
from controller.bench.registry import bench_of
from controller.bench.transcript import ROUNDS, WIDTH, Transcript
from controller.events.effect import Result, Void
from controller.events.words import plain
from controller.journal.record import of_entry
from controller.machine.registry import find_game
from controller.runtime import exit_codes as exits

SEED = 2
"""A seed with few additional void spins."""


def play_demo(config: TableConfig, out: TextIO, seed: int | None = None, journal: Path | None = None) -> int:
    """Play ten rounds and print their transcript.

    Args:
        config: the table; its backends are replaced by simulated ones.
        out: takes the transcript.
        seed: of everything random in the simulated wheel, and of the dice; None for a fixed one.
        journal: a file that does not exist yet, or None to keep the journal in memory.

    Returns:
        an exit code: 0 if ten rounds were settled and the journal's chain was verified, else 1.

    Raises:
        JournalError: the journal's file exists already, or cannot be made.
    """
    game = find_game(config.game)
    bench = bench_of(game)
    if bench is None:
        print(f"There is no demonstration of {game.title} yet.", file=out)
        return exits.FAILED
    print(f"{game.headed()}: ten rounds on simulated hardware\n", file=out)
    stage = Transcript(config, out, SEED if seed is None else seed, journal)
    try:
        bench.demo(stage)
        return _summary(stage, out)
    finally:
        stage.close()


def _summary(stage: Transcript, out: TextIO) -> int:
    journal = stage.rig.journal
    effects = [(entry.round, effect) for entry in journal.entries() for effect in of_entry(entry).effects]
    settled = len({number for number, effect in effects if isinstance(effect, Result)})
    voids = Counter(effect.reason for _, effect in effects if isinstance(effect, Void))
    verdict = journal.verify()
    reasons = ", ".join(f"{plain(reason)} {count}" for reason, count in sorted(voids.items()))
    chain = f"broken: {verdict.problem}" if verdict.problem else f"verified, {verdict.entries} entries"

    print("\nSummary", file=out)
    for name, words in (
        ("rounds settled", str(settled)),
        ("voids", f"{voids.total()} ({reasons})" if voids else "none"),
        ("journal", f"{len(journal)} entries"),
        ("chain", chain),
        ("head", verdict.head),
    ):
        print(textwrap.fill(f"  {name:<16}{words}", WIDTH, subsequent_indent=" " * 18), file=out)
    return exits.OK if settled == ROUNDS and not verdict.problem else exits.FAILED
