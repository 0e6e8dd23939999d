"""A PIN, or a part of one, that is keyed where a prompt asks for it or discards it reaches nothing.

Two tables are played alike, but for the PINs. Everything that leaves them is compared: the journal with its hashes,
of which exports, pages of rounds and messages to the floor are made; its text, the log, the prompts, the screens'
documents, lamps and buzzer. If any of it depended on a digit of a PIN, it would differ. Digits that are keyed while
no prompt is open belong to the game, and so are those of a choice in a menu.
"""

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from screen_table import screens_of

from config.schema import TableConfig
from controller.access.credentials import Role
from controller.bench.rig import Rig
from controller.configuration.shipped import shipped_tables
from controller.events.table_words import TABLE_WORDS
from controller.journal.record import entry_line, of_entry
from controller.table.desk import Staff

Shipped = Callable[[str], TableConfig]
NUMBER, DEALER = "4711", "12"
PINS = ({"right": "968577", "wrong": "968599"}, {"right": "780890", "wrong": "780809"})
"""Those of the one table, and of the other: they differ in every digit."""
PIN_STEPS = {
    "right PIN": ("right", "enter"),
    "wrong PIN": ("wrong", "enter"),
    "PIN without enter": ("right",),
    "half a PIN": ("first half",),
    "the other half": ("second half", "enter"),
}
STEPS = {
    "number": (*NUMBER, "enter"),
    "mistyped number": (*"4171", "enter"),
    "half a number": tuple("47"),
    "dealer's number": (*DEALER, "enter"),
    "turn": ("floor-key",),
    "turn twice": ("floor-key", "floor-key"),
    "log on": ("log-on",),
    "enter": ("enter",),
    "clear": ("clear",),
    "choose": ("1", "floor-key"),
    "dealer": ("no-more-bets", "done"),
    "correct": ("correct", "no-roll"),
}
PAUSES_S = {"a while": 3.0, "half a minute": 31.0, "past the session": 125.0, "long": 700.0}
IDENTIFIES = ("turn", "number", "right PIN")
ACTS = st.sampled_from(
    [*STEPS, *PIN_STEPS, *PIN_STEPS, *PAUSES_S, "identify", "identify", "turn", "stuck key", "cut", "cut"]
)


@dataclass
class People:
    """A floorperson and a dealer with the same PIN."""

    pin: str

    def knows(self, number: str, role: Role) -> bool:
        return (number, role) in ((NUMBER, Role.FLOORPERSON), (DEALER, Role.DEALER))

    def verify(self, number: str, pin: str, role: Role) -> bool:
        return self.knows(number, role) and pin == self.pin


@dataclass
class Watched:
    """A table, and everything that it lets people or other computers see."""

    config: TableConfig
    pins: dict[str, str]
    seen: list[Any] = field(default_factory=list)
    begun: bool = False
    """An entry was begun in a prompt, and not ended: the rest of it is discarded, whatever happens meanwhile."""

    def __post_init__(self) -> None:
        self.rig = Rig(self.config, staff=Staff(People(self.pins["right"]), dealer_pin=True))
        self.screens = screens_of(self.rig)
        self.keys = {control for device in self.rig.world.keys for control in device.controls} | {"floor-key"}
        self.started()

    def started(self) -> None:
        self.rig.table.inputs.prompt_listeners.extend([self.seen.append, self.screens.prompted])

    def press(self, *controls: str) -> None:
        for control in controls:
            if control not in self.keys:
                continue
            if control in ("enter", "clear", "floor-key", "log-on"):
                self.begun = False
            else:
                self.begun |= control.isdecimal() and self.rig.table.desk.hides_digits
            self.rig.press(control)
            self.begun |= self.rig.table.desk.view(self.rig.clock.now_ns()).text.code.endswith("-pin")
            self.seen += [self.rig.lit(), self.rig.world.sounder.beeps]
            self.seen += [self.screens.board(), self.screens.dealer()]

    def key_pin(self, step: str) -> None:
        """Where an entry was begun, or a prompt is open: elsewhere the key is turned first."""
        if not (self.begun or self.rig.table.desk.hides_digits):
            self.press("floor-key")
        right = self.pins["right"]
        words = {**self.pins, "first half": right[:3], "second half": right[3:]}
        for key in (key for name in PIN_STEPS[step] for key in words.get(name, (name,))):
            if self.begun or self.rig.table.desk.hides_digits:
                self.press(key)

    def act(self, step: str) -> None:
        if step == "cut":
            self.rig.power_cut()
            self.started()
        elif step in PAUSES_S:
            self.rig.wait(PAUSES_S[step])
        elif step == "stuck key":
            if self.rig.table.desk.hides_digits:
                self.rig.world.fault("stuck-key", self.pins["right"][0])
                self.rig.wait(11)
                self.rig.world.repair()
        elif step == "identify":
            for one in IDENTIFIES:
                self.act(one)
        elif step in PIN_STEPS:
            self.key_pin(step)
        else:
            self.press(*STEPS[step])

    def record(self) -> list[str]:
        words = {**TABLE_WORDS, **self.rig.game.words}
        return [f"{entry} {entry_line(entry, of_entry(entry), words)}" for entry in self.rig.journal.entries()]


@contextmanager
def logged(lines: list[object]) -> Iterator[None]:
    """Keep the log of everything but of the library of the state machine, which names its callbacks by address."""

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            if not record.name.startswith("transitions"):
                lines.append(record.getMessage())

    handler, root = Lines(), logging.getLogger()
    level = root.level
    root.addHandler(handler)
    root.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        root.removeHandler(handler)
        root.setLevel(level)


def played(config: TableConfig, pins: dict[str, str], steps: list[str]) -> tuple[list[Any], list[str]]:
    lines: list[Any] = []
    with logged(lines):
        table = Watched(config, pins)
        for step in steps:
            table.act(step)
        record = table.record()
        table.rig.table.stop()
        table.rig.journal.close()
    return [*table.seen, *lines], record


@pytest.mark.parametrize("game", sorted(shipped_tables()))
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(ACTS, min_size=2, max_size=14))
@example(steps=["identify", "turn", "number", "right PIN"])
@example(steps=["identify", "clear", "turn", "number", "right PIN", "clear", "past the session", "identify"])
@example(steps=["turn", "number", "wrong PIN", "number", "right PIN", "clear"])
@example(steps=["turn", "number", "wrong PIN", "turn", "number", "right PIN", "right PIN"])
@example(steps=["turn", "number", "half a PIN", "half a minute", "the other half"])
@example(steps=["turn", "number", "half a PIN", "cut", "the other half"])
@example(steps=["turn", "number", "cut", "half a PIN", "cut", "the other half"])
@example(steps=["turn", "number", "wrong PIN", "half a PIN", "cut", "the other half"])
@example(steps=["turn", "number", "clear", "clear", "number", "right PIN"])
@example(steps=["turn", "mistyped number", "right PIN", "PIN without enter", "cut", "right PIN"])
@example(steps=["turn", "number", "half a PIN", "stuck key", "the other half", "stuck key"])
@example(steps=["log on", "dealer's number", "wrong PIN", "log on", "dealer's number", "right PIN"])
@example(steps=["correct", "number", "half a PIN", "half a minute", "the other half"])
@example(steps=["identify", "clear", "correct", "turn", "number", "right PIN"])
@example(steps=["identify", "long", "number", "right PIN"])
@example(steps=["turn", "right PIN", "number"])
def test_no_digit_of_a_pin_reaches_anything(shipped: Shipped, game: str, steps: list[str]) -> None:
    one, other = (played(shipped(game), pins, steps) for pins in PINS)
    assert one == other
    text = " ".join(line.rpartition("fact")[2] for line in one[1]) + str(one[0])
    text = re.sub("[0-9a-f]{64}", "", text)  # A hash may have any digits.
    for pin in PINS[0].values():
        assert pin not in text
