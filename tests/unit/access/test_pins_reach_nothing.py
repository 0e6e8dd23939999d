"""What is keyed near the floorperson's key reaches nothing but the authentication, whenever and wherever it is
keyed.

Two tables of a game are played alike, but for the PINs. Everything that leaves them is compared: the journal
with its hashes, of which exports, the pages of rounds and the messages to the floor are made; its text, the
log, the prompts, the screens' documents, lamps and buzzer. If any of it depended on a single digit of a PIN, it
would differ.
"""

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from screen_table import Screens, arrive, screens_of

from config.schema import TableConfig
from controller.access.authentication import NS_PER_S, Authentication
from controller.bench.rig import Rig
from controller.bench.ways import states
from controller.configuration.shipped import shipped_tables
from controller.events.effect import Result
from controller.events.event import Press
from controller.journal.record import of_entry
from controller.journal.text import entry_line

Shipped = Callable[[str], TableConfig]
NUMBER = "4711"
PINS = ({"right": "968577", "wrong": "968599"}, {"right": "780890", "wrong": "780809"})
"""Those of the one table, and of the other: they differ in every digit."""
STEPS = {
    "number": (*NUMBER, "enter"),
    "mistyped number": (*"4171", "enter"),
    "half a number": tuple("47"),
    "right PIN": ("right", "enter"),
    "wrong PIN": ("wrong", "enter"),
    "PIN without enter": ("right",),
    "half a PIN": ("first half",),
    "the other half": ("second half", "enter"),
    "turn": ("floor-key",),
    "turn twice": ("floor-key", "floor-key"),
    "clear": ("clear",),
}
PAUSES_S = {"a while": 3.0, "half a minute": 31.0, "past the session": 125.0, "long": 700.0}
IDENTIFIES = ("turn", "number", "right PIN")
ACTS = st.sampled_from([*STEPS, *PAUSES_S, "identify", "identify", "turn", "cut", "choose", "dealer"])


def keys_of(step: str, pins: dict[str, str]) -> list[str]:
    """The keys of a step at a table with these PINs."""
    right = pins["right"]
    words = {**pins, "first half": right[:3], "second half": right[3:]}
    return [key for name in STEPS[step] for key in words.get(name, (name,))]


@dataclass
class OneFloorperson:
    pin: str

    def knows(self, number: str) -> bool:
        return number == NUMBER

    def verify(self, number: str, pin: str) -> bool:
        return (number, pin) == (NUMBER, self.pin)


@dataclass
class Watched:
    """A table, and everything that it lets people or other computers see."""

    config: TableConfig
    pins: dict[str, str]
    seen: list[object] = field(default_factory=list)
    gone_on: bool = False
    """Somebody has pressed what opens the digits to the game since the key was turned."""

    def __post_init__(self) -> None:
        def acts() -> Authentication:
            return Authentication(OneFloorperson(self.pins["right"]), 120 * NS_PER_S)

        self.rig = Rig(self.config, authority=acts)
        self.screens = screens_of(self.rig)
        self.started()

    def started(self) -> None:
        self.rig.table.prompt_listeners.append(self.seen.append)

    def press(self, *controls: str) -> None:
        for control in controls:
            self.rig.press(control)
            self.seen += [self.rig.lit(), self.rig.world.sounder.beeps]
            self.seen += [self.screens.board(), self.screens.dealer()]

    def cut(self) -> None:
        self.rig.power_cut()
        self.started()

    def record(self) -> list[str]:
        return [f"{entry} {entry_line(entry, of_entry(entry))}" for entry in self.rig.journal.entries()]


@contextmanager
def logged(lines: list[object]) -> Iterator[None]:
    """Keep the log of everything."""

    class Lines(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
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


def act(table: Watched, step: str) -> None:
    """One step. Nobody identifies where somebody has made the digits the game's: then the key is turned first."""
    table.gone_on = table.gone_on or step in ("choose", "dealer")
    if step == "cut":
        table.cut()
    elif step in PAUSES_S:
        table.rig.wait(PAUSES_S[step])
    elif step == "identify":
        for one in IDENTIFIES:
            act(table, one)
    elif step == "choose":
        table.press("enter", "4")
    elif step == "dealer":
        table.press("no-more-bets")
    else:
        if not table.rig.table.router.digits_closed:
            assert table.gone_on, "nobody has opened them"
            table.press("floor-key")
            table.gone_on = False
        table.press(*keys_of(step, table.pins))
    table.gone_on = table.gone_on and step not in ("turn", "turn twice", "cut")


def played(config: TableConfig, pins: dict[str, str], steps: list[str]) -> tuple[list[object], list[str]]:
    lines: list[object] = []
    with logged(lines):
        table = Watched(config, pins)
        for step in steps:
            act(table, step)
        record = table.record()
        table.rig.table.stop()
        table.rig.journal.close()
    return [*table.seen, *lines], record


@pytest.mark.parametrize("game", sorted(shipped_tables()))
@settings(max_examples=6, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(ACTS, min_size=2, max_size=14))
@example(steps=["identify", "turn", "number", "right PIN"])
@example(steps=["identify", "number", "right PIN"])
@example(steps=["turn", "number", "wrong PIN", "number", "right PIN"])
@example(steps=["turn", "number", "wrong PIN", "turn", "number", "right PIN", "right PIN"])
@example(steps=["turn", "number", "half a PIN", "half a minute", "the other half"])
@example(steps=["turn", "number", "half a PIN", "cut", "the other half"])
@example(steps=["turn", "number", "clear", "clear", "number", "right PIN"])
@example(steps=["turn", "mistyped number", "right PIN", "PIN without enter", "cut", "right PIN"])
@example(steps=["identify", "cut", "number", "right PIN"])
@example(steps=["identify", "long", "number", "right PIN"])
@example(steps=["turn", "right PIN", "number"])
def test_no_digit_of_a_pin_reaches_anything(shipped: Shipped, game: str, steps: list[str]) -> None:
    one, other = (played(shipped(game), pins, steps) for pins in PINS)
    assert one == other
    text = " ".join(line.rpartition("fact")[2] for line in one[1]) + str(one[0])
    for pin in PINS[0].values():
        assert pin not in text


@pytest.mark.parametrize("game", sorted(shipped_tables()))
def test_a_pin_keyed_where_digits_mean_nothing_though_nobody_turned_the_key(shipped: Shipped, game: str) -> None:
    """The game takes no digits here: the record says that some were refused, and not which."""

    def record(pins: dict[str, str]) -> list[str]:
        table = Watched(shipped(game), pins)
        table.rig.press("floor-key", *NUMBER, "enter", *pins["right"], "enter", "enter", "clear")
        table.rig.wait(31)
        table.press("done", "done")
        assert not table.rig.table.router.digits_closed
        assert not table.rig.machine.takes_digits()
        table.press(*pins["right"])
        refused = [record.event for record in table.rig.records() if record.outcome == "refused"]
        assert [getattr(event, "control", "") for event in refused[-6:]] == ["digit"] * 6
        return [*table.record(), *map(str, table.seen)]

    one, other = map(record, PINS)
    assert one == other


def test_what_remains_of_a_pin_after_three_dice_is_not_on_record(shipped: Shipped) -> None:
    """No digit beyond the entry: the dice are the dealer's word, and nothing tells them from a PIN's beginning."""
    table = Watched(shipped("three-dice-football"), PINS[0])
    table.rig.press("floor-key", *NUMBER, "enter", *PINS[0]["right"], "enter", "enter", "1", "enter")
    table.rig.wait(31)
    table.press("no-more-bets", *"135246")
    presses = [one.event.control for one in table.rig.records() if isinstance(one.event, Press)][-6:]
    assert presses == [*"135", "digit", "digit", "digit"]


# -- nobody has turned the key, and the digits are the game's ------------------------------------------------------


PLACES = [(game, state) for game in sorted(shipped_tables()) for state in states(game)]
ANYBODY = ("4711", "9988")
"""A number that somebody has, and one that nobody has: it is mistyped."""


@dataclass
class Recognised:
    """Who may act at a table: two floorpersons, whose numbers can also be three dice, or a pocket."""

    pin: str

    def knows(self, number: str) -> bool:
        return number in (NUMBER, "123", "17")

    def verify(self, number: str, pin: str) -> bool:
        return self.knows(number) and pin == self.pin


def keyed_too_early(config: TableConfig, state: str, keys: tuple[str, ...], pin: str) -> list[str]:
    """What leaves a table, where the digits are the game's, when a PIN is keyed after a number."""
    lines: list[object] = []
    table: Screens = arrive(config, state, stop=True)
    table.rig.table.router._authentication = Authentication(Recognised(pin))
    table.rig.table.prompt_listeners.append(lines.append)
    with logged(lines):
        for key in (*keys, "enter", *pin, "enter"):
            table.rig.press(key)
            lines += [table.rig.lit(), table.board(), table.dealer()]
        record = [f"{entry} {entry_line(entry, of_entry(entry))}" for entry in table.rig.journal.entries()]
        table.rig.table.stop()
        table.rig.journal.close()
    return [*record, *map(str, lines)]


@pytest.mark.parametrize("number", ANYBODY)
@pytest.mark.parametrize(("game", "state"), PLACES)
@pytest.mark.campaign
def test_a_pin_keyed_after_its_number_though_nobody_turned_the_key(
    shipped: Shipped, game: str, state: str, number: str
) -> None:
    one, other = (keyed_too_early(shipped(game), state, tuple(number), pins["right"]) for pins in PINS)
    assert one == other


@pytest.mark.parametrize("keys", ["123", "17"])
@pytest.mark.parametrize(
    ("game", "state"), [("sic-bo", "shaking"), ("roulette", "entry"), ("three-dice-football", "throw")]
)
def test_a_number_that_is_an_entry_is_the_games_and_the_pin_after_it_means_nothing(
    shipped: Shipped, game: str, state: str, keys: str
) -> None:
    one, other = (keyed_too_early(shipped(game), state, tuple(keys), pins["right"]) for pins in PINS)
    assert one == other


def keys_early(shipped: Shipped, game: str, state: str, *keys: str) -> Rig:
    rig = arrive(shipped(game), state, stop=True).rig
    assert rig is not None
    rig.table.router._authentication = Authentication(Recognised(PINS[0]["right"]))
    rig.press(*keys)
    return rig


def test_who_keys_number_and_pin_without_the_key_has_identified_and_nothing_was_entered(shipped: Shipped) -> None:
    """4-1-1 were taken as dice, 7 was not: a number that somebody has is no slip of the dealer's."""
    rig = keys_early(shipped, "sic-bo", "shaking", *NUMBER, "enter", *PINS[0]["right"], "enter")
    assert rig.records()[-1].event.kind == "identified"
    assert rig.state.value == "entry", "the dealer clears what was taken, and keys the dice"
    assert rig.waiting_for.startswith("4-1-1: press enter, or clear")
    rig.press("clear", "enter", *"123", "enter")
    assert rig.records()[-1].effects[0] == Result("1-2-3", rig.machine.data.wins)


def test_three_dice_of_a_hand_that_slipped_are_an_entry_though_a_digit_was_refused(shipped: Shipped) -> None:
    rig = keys_early(shipped, "sic-bo", "shaking", *"1728", "3", "enter")
    assert rig.state.value == "result"


def test_a_die_pressed_twice_is_no_number(shipped: Shipped) -> None:
    rig = keys_early(shipped, "sic-bo", "shaking", *"3455", "enter")
    assert rig.state.value == "result"


def test_cards_entered_too_early_cost_two_presses_as_any_slip_may(shipped: Shipped) -> None:
    rig = keys_early(shipped, "casino-war", "deal", *"56789", "enter", "clear", "enter", *"456")
    assert rig.machine.data.cards == ("5", "6", "7", "8", "9", "4", "5", "6")
    rig.press("enter")
    assert rig.state.value == "settling"
