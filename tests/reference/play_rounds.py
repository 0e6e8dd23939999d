"""Plays recorded rounds into the present code: the only module of the rounds that follows it.

A change that decides otherwise on purpose shows its differences here. Read each one, then record the outcomes again
in a commit of its own: ``python -m reference.play_rounds`` writes those of the present code.
"""

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from config.loader import load_text
from config.schema import TableConfig
from controller import __version__
from controller.events.effect import Effect
from controller.events.event import Act
from controller.journal.deciders import Decider
from controller.journal.journal import Journal
from controller.journal.record import RecordedDecision
from controller.runtime.table import Setup, Table
from controller.runtime.table_clock import TableClock, newest_on_record
from controller.table.identification import Staff
from controller.table.inputs import Devices
from controller.viewmodel.limit_requests import _proposal
from hal.mock.clock import VirtualClock
from hal.wall_time import SetBy
from reference import rounds_data
from reference.rounds_data import Case, Outcome, compare, save
from reference.scripted import ScriptedHead, ScriptedTable

DATA = Path(__file__).with_name("rounds.gz")
_DIGEST = "0" * 64
_CODES: Mapping[str, tuple[str, ...]] = {
    "result": ("label",),
    "bonus": ("label", "multiplier"),
    "void": ("reason",),
    "wagers-returned": ("reason", "areas"),
    "round-opened": ("number",),
    "result-withdrawn": ("label", "settled"),
    "lock": ("cause",),
    "alert": ("text",),
    "note": ("text",),
    "refused": ("control", "why"),
}
"""What of an effect is an outcome."""


def load() -> list[Case]:
    """The cases on record."""
    return rounds_data.load(DATA)


def differences(case: Case) -> list[str]:
    """Where the present code decides otherwise than on record, each as ``KIND: where: what``."""
    try:
        return compare(case, play(case))
    except Exception as error:  # noqa: BLE001 Whatever it raises is a difference.
        return [f"STATE: {case.game}, {case.name}: the code raises {type(error).__name__}: {error}"]


def play(case: Case) -> list[Outcome]:
    """What the present code makes of a case."""
    config, clock = load_text(case.table.encode(), "table"), VirtualClock()
    keys = [name for name in ("buttons", "keypad", "keyboard") if getattr(config.devices, name) is not None]
    make = partial(Code, config, case.people, case.session_s, clock)
    table, at_ns = ScriptedTable(make, keys, clock, ScriptedHead(case.edges, clock)), 0
    with closing(table.code), _without_log():
        for number, given in enumerate(case.inputs):
            at_ns += given[0]
            clock.advance_to(at_ns)
            table.give(number, given)
    return table.outcomes


class Code:
    """One table through all its starts.

    Args:
        people: PINs by credential number; None for a table that asks nobody.
        emit: takes the outcomes: what, and parameters.
    """

    def __init__(
        self,
        config: TableConfig,
        people: Mapping[str, str] | None,
        session_s: int,
        clock: VirtualClock,
        emit: Callable[..., None],
    ) -> None:
        self.config = config.model_copy(update={"credentials": None})
        self.table: Table
        self.journal = Journal(None)
        self.set_by = "network"
        self.clock = TableClock(clock, lambda: SetBy(self.set_by))
        known = people or {}  # Without the cost of hashes.
        identities = SimpleNamespace(
            knows=lambda number, role: number in known, verify=lambda number, pin, role: known.get(number) == pin
        )
        self._staff = Staff(identities, session_s * 1_000_000_000) if people else None
        self._emit = emit
        self._state = ""
        self._lit: frozenset[str] = frozenset()

    def start(self, at: Any) -> None:
        """Switch on, at the devices of a scripted table."""
        self._lit = frozenset()
        self.clock.begin(newest_on_record(self.journal))
        sections = self.config.devices
        devices = Devices(
            *(at.switches, at.panel, at.sounder, at.keys),
            head=at.head if sections.head is not None or sections.rotor is not None else None,
            reader=at.reader if sections.reader is not None else None,
            tamper=at.contacts if sections.tamper is not None else None,
        )
        setup = Setup(self.config, Decider(__version__, _DIGEST, _DIGEST), self._staff, at)
        self.table = Table(setup, self.journal, self.clock, devices)
        self.table.listeners.append(self._decided)
        self.table.start()

    def stop(self) -> None:
        """The power is cut."""
        self.table.stop()

    def close(self) -> None:
        """Nothing is to be done with the table any more."""
        self.journal.close()

    def act(self, act: str, argument: str, by: str) -> None:
        """What the floorperson chose and confirmed."""
        self.table.take([Act(self.clock.now_ns(), act, argument, self.clock.utc_ns(), by)])

    def limits(self, body: Mapping[str, object]) -> None:
        """What a request at the table's own computer does."""
        sign = self.table.sign
        try:
            if body.get("file"):
                sign.propose_file()
            else:
                sign.propose(_proposal(body, self.table.table_state.limits, sign.currency))
        except ValueError:
            self._emit("limits", "refused")
        else:
            self._emit("limits", "asked")

    def lamps(self, areas: frozenset[str]) -> None:
        """The panel is set."""
        if areas != self._lit:
            self._lit = areas
            self._emit("lamps", sorted(areas))

    def _decided(self, recorded: RecordedDecision) -> None:
        for effect in recorded.record.effects:
            for outcome in _of_effect(effect):
                self._emit(*outcome)
        if recorded.record.state != self._state:
            self._state = recorded.record.state
            self._emit("state", self._state)


def _of_effect(effect: Effect) -> Iterator[tuple[object, ...]]:
    if effect.kind in _CODES:
        values = (getattr(effect, name) for name in _CODES[effect.kind])
        yield effect.kind, *(list(value) if isinstance(value, tuple) else value for value in values)
    if effect.kind == "result":
        yield "wins", {win.area: win.pays for win in sorted(effect.wins, key=lambda win: win.area)}


@contextmanager
def _without_log() -> Iterator[None]:
    before = logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(before)


if __name__ == "__main__":
    cases = [replace(case, outcomes=play(case)) for case in load()]
    print(f"{DATA.name}: {len(cases)} cases, {save(DATA, cases):,} bytes")
