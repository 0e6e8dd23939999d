"""The demonstration: ten rounds on simulated hardware and virtual time, as a transcript. Used by ``bench``.

Dealer and floorperson play as in a simulation. Each game's ``bench.py`` has scenes: what people do besides.
"""

import textwrap
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import TextIO

from config.schema import TableConfig
from controller import errors as exits
from controller.bench.dealer import Dealer
from controller.bench.log_lines import lines
from controller.bench.oracle import Oracle
from controller.bench.people import bench_of
from controller.bench.rig import NS_PER_S, TOLD_NS, Rig
from controller.events.effect import Result, Void
from controller.events.words import plain
from controller.journal.errors import JournalError
from controller.journal.record import RecordedDecision, of_entry
from controller.machine.game import words_of
from controller.machine.registry import find_game

SEED = 2
"""A seed with few additional void spins."""
ROUNDS = 10
"""Settled rounds of a demonstration."""
WIDTH = 100
"""Columns of the transcript."""
_PAUSE_S = 2.0
"""The delay before each action."""


class Demonstration(Rig):
    """A table that writes what people do, what the table decides, and its lamps.

    Args:
        out: takes the transcript.
        journal: a file that does not exist yet, or None.

    Raises:
        JournalError: the journal cannot be used.
    """

    def __init__(self, config: TableConfig, out: TextIO, seed: int, journal: Path | None) -> None:
        if journal is not None and journal.exists():
            raise JournalError(f"{journal}: the demonstration begins on an empty journal; name a new file")
        self.random, oracle = Random(seed), Oracle()
        self._out = out
        self._shown: tuple[set[str], str] = set(), ""
        """The lamps, and what the table waits for, as they were written last."""
        self._acting = False
        super().__init__(config, journal, {"seed": seed}, TOLD_NS, (oracle, self._on_decision))
        self.dealer = Dealer(self, self.random, oracle, careless=0.0)
        self._look()

    # -- output --------------------------------------------------------------------------------------------

    def _write(self, at_ns: int, who: str, words: str) -> None:
        minute, second = divmod(at_ns // NS_PER_S, 60)
        start = f"{minute:>3}:{second:02}  {who:<11} "
        rest = " " * len(start)
        filled = textwrap.fill(words, WIDTH, initial_indent=start, subsequent_indent=rest, break_on_hyphens=False)
        print(filled, file=self._out)

    def _on_decision(self, recorded: RecordedDecision) -> None:
        for line in lines(recorded, words_of(self.game)):
            self._write(line.at_ns, "table", line.text)

    def _look(self) -> None:
        """Write what has changed: the lit lamps, and what the table waits for."""
        now_ns, (lit, prompt) = self.clock.now_ns(), self._shown
        self._shown = self.lit(), self.waiting_for
        if lit != self._shown[0]:
            burning = ", ".join(area for area in self.lamps if area in self._shown[0])
            self._write(now_ns, "panel", f"lit: {burning}" if burning else "dark")
        if prompt != self._shown[1]:
            self._write(now_ns, "table", f"next: {self._shown[1]}")

    # -- acting --------------------------------------------------------------------------------------------

    @contextmanager
    def act(self, who: str, words: str) -> Iterator[None]:
        """Write an action after a short delay, and what it changed. Its parts are not written."""
        if self._acting:
            yield
            return
        self._look()
        self.wait(_PAUSE_S)
        self._write(self.clock.now_ns(), who, plain(words))
        self._acting = True
        yield
        self._acting = False
        self._look()

    def do(self, acts: str) -> None:
        """Acts with commas between them: ``power-cut``, or keys that are pressed."""
        for act in acts.split(", "):
            if act == "power-cut":
                self.power_cut()
            else:
                self.press(*act.split())

    def until(self, at_ns: int) -> None:
        super().until(at_ns)
        if not self._acting:
            self._look()


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
        HaltedTableError: the table halted.
        JournalError: the journal's file exists already, or cannot be made.
    """
    game = find_game(config.game)
    bench = bench_of(game)
    if bench is None:
        print(f"There is no demonstration of {game.title} yet.", file=out)
        return exits.FAILED
    print(f"{game.headed()}: ten rounds on simulated hardware", file=out)
    table = Demonstration(config, out, SEED if seed is None else seed, journal)
    try:
        print("\nThe table opens", file=out)
        table.dealer.follow("bets-open")
        for number in range(ROUNDS):
            words, scene = bench.scenes[number] if number < len(bench.scenes) else ("", None)
            last = table.machine.round
            print(f"\nRound {last} ({number + 1} of {ROUNDS}){words and f': {words}'}", file=out)
            if scene is not None:
                scene(table)
            table.dealer.follow("bets-open", after=last)
        return _summary(table, out)
    finally:
        table.close()


def _summary(table: Demonstration, out: TextIO) -> int:
    journal = table.journal
    effects = [(entry.round, effect) for entry in journal.entries() for effect in of_entry(entry).effects]
    settled = len({number for number, effect in effects if isinstance(effect, Result)})
    voids = Counter(plain(effect.reason) for _, effect in effects if isinstance(effect, Void))
    verdict = journal.verify()
    print("\nSummary", file=out)
    for words in (
        f"rounds settled: {settled}",
        f"voids: {', '.join(f'{reason} {count}' for reason, count in sorted(voids.items())) or 'none'}",
        f"journal: {len(journal)} entries, {verdict.problem or f'verified, head {verdict.head}'}",
    ):
        print(textwrap.fill(words, WIDTH, initial_indent="  ", subsequent_indent="    "), file=out)
    return exits.OK if settled == ROUNDS and not verdict.problem else exits.FAILED
