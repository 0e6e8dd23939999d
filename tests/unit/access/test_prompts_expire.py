"""A prompt that asks for an identification goes when its time is over, though nobody presses a key."""

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from roulette_table import FLOOR, guarded, inspected, spin, with_rules
from screen_table import Screens, screens_of

from config.schema import TableConfig
from controller.access.authentication import Authentication
from controller.bench.rig import Rig

NUMBER, PIN = "4711", "830261"
Shipped = Callable[[str], TableConfig]


class Floorperson:
    def knows(self, number: str) -> bool:
        return number == NUMBER

    def verify(self, number: str, pin: str) -> bool:
        return (number, pin) == (NUMBER, PIN)


@dataclass
class Seen:
    """A table that asks for credentials, and what its screens were sent."""

    rig: Rig
    prompts: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.screens: Screens = screens_of(self.rig)
        assert self.screens.watch is not None
        self.rig.table.prompt_listeners.extend([self.prompts.append, self.screens.watch.prompted])

    @property
    def prompt(self) -> str:
        """On the dealer's screen; each change of it was sent."""
        shown = self.screens.dealer()["prompt"]
        assert shown == (self.prompts[-1] if self.prompts else "")
        return str(shown)


@pytest.fixture
def sic_bo(shipped: Shipped) -> Seen:
    """Sic Bo, whose menus take digits."""
    return Seen(Rig(shipped("sic-bo"), authority=lambda: Authentication(Floorperson())))


def test_a_pin_that_nobody_keys_on_leaves_the_screen_after_half_a_minute(sic_bo: Seen) -> None:
    table = sic_bo.rig
    table.press("floor-key", *NUMBER, "enter", *PIN[:3])
    table.wait(29)
    assert sic_bo.prompt == "floorperson: key your PIN, then enter: •••"
    table.wait(2)
    assert sic_bo.prompt.startswith("the identification took too long: turn the key to begin anew")


def test_where_digits_mean_something_the_screen_says_how_they_do_again(sic_bo: Seen) -> None:
    table = sic_bo.rig
    table.press("floor-key", *NUMBER, "enter", *PIN, "enter")
    assert table.state.value == "floor-menu"
    table.press("7", "7")
    assert sic_bo.prompt.endswith("clear, then press enter before digits for the game: ••")
    table.wait(31)
    opens = "the identification took too long: turn the key to begin anew; press enter before digits for the game: "
    assert sic_bo.prompt == opens, "a clear would reach the game and leave the menu"
    table.wait(60)
    assert sic_bo.prompt == opens, "as long as it is so"
    table.press("enter")
    assert sic_bo.prompt == ""
    table.press("2")
    assert table.state.value == "closed", "new dice, as the menu says"


def test_the_screen_says_how_to_key_digits_that_come_to_mean_something_without_a_press(shipped: Shipped) -> None:
    """The ball comes down while the digits are closed: its number is keyed after an enter."""
    seen = Seen(guarded(with_rules(shipped("roulette"), result="keypad")))
    inspected(seen.rig, FLOOR)
    spin(seen.rig, into="17", rest=False)
    seen.rig.wait(4)
    seen.rig.press("no-more-bets")
    assert seen.prompt == ""
    seen.rig.ball_rest()
    assert seen.rig.state.value == "entry"
    assert seen.prompt.endswith("press enter before digits for the game: ")


def test_a_table_that_has_lost_its_power_asks_for_nothing_more(sic_bo: Seen) -> None:
    table = sic_bo.rig
    table.press("floor-key", *NUMBER, "enter", *PIN[:3])
    sent = len(sic_bo.prompts)
    table.power_cut(seconds=60)
    assert len(sic_bo.prompts) == sent
