"""A PIN, or a part of one, that is keyed where a prompt asks for it or discards it reaches nothing.

Two tables are played alike, but for the PINs. Everything that leaves them is compared: the journal with its hashes,
of which exports, pages of rounds and messages to the floor are made; its text, the log, the prompts, the screens'
documents, lamps and buzzer. If any of it depended on a digit of a PIN, it would differ. Digits that are keyed while
no prompt is open belong to the game, and so are those of a choice in a menu.
"""

import logging
from collections.abc import Callable
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
from controller.journal.record import entry_line, of_entry
from controller.machine.game import words_of
from controller.table.desk import Staff

PEOPLE = {"4711": Role.FLOORPERSON, "12": Role.DEALER}
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
    "number": (*"4711", "enter"),
    "mistyped number": (*"4171", "enter"),
    "half a number": tuple("47"),
    "dealer's number": (*"12", "enter"),
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
OFTEN = (*PIN_STEPS, "identify", "identify", "turn", "stuck key", "cut", "cut")
ACTS = st.sampled_from([*STEPS, *PIN_STEPS, *PAUSES_S, *OFTEN])


@dataclass
class People:
    """A floorperson and a dealer with the same PIN."""

    pin: str

    def knows(self, number: str, role: Role) -> bool:
        return PEOPLE.get(number) is role

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

    @property
    def hides(self) -> bool:
        return self.begun or self.rig.table.desk.hides_digits

    def press(self, control: str) -> None:
        if control not in self.keys:
            return
        self.begun = control not in ("enter", "clear", "floor-key", "log-on") and (
            self.begun or (control.isdecimal() and self.rig.table.desk.hides_digits)
        )
        self.rig.press(control)
        self.begun |= self.rig.table.desk.view(self.rig.clock.now_ns()).text.code.endswith("-pin")
        self.seen += [self.rig.lit(), self.rig.world.sounder.beeps, self.screens.board(), self.screens.dealer()]

    def act(self, step: str) -> None:
        if step == "cut":
            self.rig.power_cut()
            self.started()
        elif step in PAUSES_S:
            self.rig.wait(PAUSES_S[step])
        elif step == "stuck key" and self.rig.table.desk.hides_digits:
            self.rig.world.fault("stuck-key", self.pins["right"][0])
            self.rig.wait(11)
            self.rig.world.repair()
        elif step == "identify":
            for one in ("turn", "number", "right PIN"):
                self.act(one)
        elif step in PIN_STEPS:  # Where an entry was begun, or a prompt is open: elsewhere the key is turned first.
            if not self.hides:
                self.press("floor-key")
            right = self.pins["right"]
            words = {**self.pins, "first half": right[:3], "second half": right[3:]}
            for key in (key for name in PIN_STEPS[step] for key in words.get(name, (name,))):
                if self.hides:
                    self.press(key)
        else:
            for control in STEPS.get(step, ()):
                self.press(control)


@pytest.mark.parametrize("game", sorted(shipped_tables()))
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(ACTS, min_size=2, max_size=14))
@example(steps=["identify", "clear", "turn", "number", "right PIN", "clear", "past the session", "identify"])
@example(steps=["turn", "number", "wrong PIN", "turn", "number", "right PIN", "right PIN"])
@example(steps=["turn", "number", "half a PIN", "half a minute", "the other half"])
@example(steps=["turn", "number", "wrong PIN", "half a PIN", "cut", "the other half"])
@example(steps=["turn", "mistyped number", "right PIN", "PIN without enter", "cut", "right PIN"])
@example(steps=["turn", "number", "half a PIN", "stuck key", "the other half", "stuck key"])
@example(steps=["log on", "dealer's number", "wrong PIN", "log on", "dealer's number", "right PIN"])
@example(steps=["correct", "number", "half a PIN", "half a minute", "the other half"])
@example(steps=["identify", "clear", "correct", "turn", "number", "right PIN"])
def test_no_digit_of_a_pin_reaches_anything(
    shipped: Callable[[str], TableConfig], game: str, caplog: pytest.LogCaptureFixture, steps: list[str]
) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("transitions").setLevel(logging.ERROR)  # It names its callbacks by their addresses.

    def played(pins: dict[str, str]) -> list[Any]:
        caplog.clear()
        table = Watched(shipped(game), pins)
        for step in steps:
            table.act(step)
        words = words_of(table.rig.game)
        record = [f"{entry} {entry_line(entry, of_entry(entry), words)}" for entry in table.rig.journal.entries()]
        table.rig.table.stop()
        table.rig.journal.close()
        return [*table.seen, *caplog.messages, *record]

    assert played(PINS[0]) == played(PINS[1])
