"""A table with its screens; every document is compared with the record."""

import json
import re
from collections.abc import Callable
from typing import Any

from pydantic_core import to_jsonable_python
from ways import CellDealer, way

from config.schema import TableConfig
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig
from controller.events.effect import Light, Result, RoundOpened
from controller.journal.record import RecordedDecision
from controller.table.prompts import View
from controller.viewmodel import presenter as picture
from controller.viewmodel.history import TableHistory
from controller.viewmodel.screen import Tone

SLICE_NS = 500_000_000
LONGEST = 34
"""Characters of a headline."""
SENSORS = re.compile("sensor|beam|encoder|index|noise", re.IGNORECASE)
TONES = {tone.value for tone in Tone}


class Screens:
    """The screens of a table on simulated hardware, which follow it from now on, also after a power cut.

    Args:
        follow: watch the table; else the journal is only read, as by a new process.

    Attributes:
        checks: called with each picture.
    """

    def __init__(self, rig: Rig, follow: bool = True) -> None:
        self.rig, self.watch = rig, TableHistory(rig.config, rig.clock)
        self.checks: list[Callable[[dict[str, Any]], None]] = []
        self._results: list[tuple[int, Result]] = []
        self._opened = 0
        self._starting = False
        self._lit: tuple[str, ...] = ()
        self.watch.recall(rig.journal)
        for entry, record in zip(rig.journal.entries(), rig.records(), strict=True):
            self._learn(entry.round, record.effects)
        if follow:
            rig._listeners = (*rig._listeners, self)
            rig.table.listeners.append(self)

    def _learn(self, number: int, effects: Any) -> None:
        for effect in effects:
            if isinstance(effect, Result):
                self._results.append((number, effect))
            elif isinstance(effect, RoundOpened):
                self._opened = len(self._results)
            elif isinstance(effect, Light):
                self._lit = effect.areas

    def __call__(self, recorded: RecordedDecision) -> None:
        self.watch(recorded)
        self._learn(recorded.entry.round, recorded.record.effects)
        if not self._starting:
            self.checked_board()

    def prompted(self, prompt: View) -> None:
        """A listener of the table's prompts."""
        self.watch.prompt = prompt

    def power_cut(self, seconds: float = 5.0) -> None:
        """Cut the power and switch on again; check the board once the table has started."""
        self._starting = True
        self.rig.power_cut(seconds)
        self._starting = False
        self.checked_board()

    def checked_board(self) -> dict[str, Any]:
        """The board, compared with the record."""
        board, dealer = self.board(), self.dealer()
        for document in (board, dealer):
            assert json.loads(json.dumps(document, allow_nan=False)) == document
        self._fits(board)
        assert dealer["task"]["act"], board["state"]
        for check in self.checks:
            check(board)
        return board

    def _fits(self, board: dict[str, Any]) -> None:
        """Everything on the board is on record, and what a player reads first is on it."""
        screen = self.watch.screen
        assert 0 < len(board["headline"]) <= LONGEST, board["headline"]
        assert board["headline"] == board["headline"].upper()
        assert board["tone"] in TONES
        assert board["detail"] or not screen.headlines, board["state"]
        assert not SENSORS.search(board["headline"] + board["detail"]), "nothing of sensors is for players"
        assert tuple(board["lit"]) == self._lit
        of_round = [result for _, result in self._results[self._opened :]]
        if board["result"]:
            last = of_round[-1]
            assert board["result"] == screen.words(last)
            assert {(win["area"], win["pays"]) for win in board["wins"]} == {(w.area, w.pays) for w in last.wins}
        else:
            assert board["wins"] == []
        recorded = iter([(number, past.label) for number, result in self._results if (past := screen.past(result))])
        assert all((line["round"], line["label"]) in recorded for line in reversed(board["history"])), "in order"

    def board(self) -> dict[str, Any]:
        rig = self.rig
        made = picture.board(rig.config, rig.table, self.watch, rig.clock.now_ns(), rig.clock.utc_ns())
        return to_jsonable_python(made)  # type: ignore[no-any-return]

    def dealer(self) -> dict[str, Any]:
        made = picture.dealer(self.rig.config, self.rig.table, self.watch, self.rig.clock.now_ns())
        return to_jsonable_python(made)  # type: ignore[no-any-return]

    def recalled(self) -> "Screens":
        """The screens of a process that has only read the journal."""
        return Screens(self.rig, follow=False)

    def same_as_recalled(self) -> None:
        """A history read from the journal equals one that has followed the table."""
        other = self.recalled()
        assert (other.board(), other.dealer(), other.watch.lit) == (self.board(), self.dealer(), self.watch.lit)


screens_of = Screens
"""The screens of a table."""


def arrive(config: TableConfig, state: str) -> Screens:
    """A table that has come into a state; every document on the way was compared with the record."""
    leads, oracle = way(config.game, state), Oracle()
    rig = Rig(config, options={"seed": leads.seed}, slice_ns=SLICE_NS, listeners=(oracle,))
    screens, dealer = screens_of(rig), CellDealer(rig, oracle, leads)
    seen: list[str] = []

    def note(board: dict[str, Any]) -> None:
        if not dealer.detours and board["state"] == state:
            seen.append(state)
            screens.same_as_recalled()

    screens.checks.append(note)
    note(screens.checked_board())
    for _ in range(leads.acts):
        if seen:
            return screens
        dealer.act()
    raise AssertionError(f"{config.game}: no way into {state}")
