"""A roulette table that is open for wagers, and the actions of its people."""

from collections.abc import Callable
from pathlib import Path

from config.schema import TableConfig
from controller.access.authentication import Authentication
from controller.bench.rig import Rig

GAME = "roulette"
FLOOR, SECURITY, MAINTENANCE = "1001", "2002", "3003"
Shipped = Callable[[str], TableConfig]


def with_rules(config: TableConfig, **rules: object) -> TableConfig:
    """A table with other rules, and the devices that they demand."""
    devices = config.devices
    if rules.get("result") == "keypad":
        devices = devices.model_copy(update={"reader": None})
    return config.model_copy(update={"rules": {**config.rules, **rules}, "devices": devices})


def opened(config: TableConfig, journal: Path | None = None, **options: object) -> Rig:
    """A table that has passed the inspection."""
    table = Rig(config, journal, options=options)
    table.press("floor-key", "1", "floor-key", "floor-key", "floor-key")
    spin(table)
    table.press("floor-key", "floor-key")
    if table.state.value == "inspecting":
        table.press("floor-key")
    assert table.state.value == "bets-open", table.waiting_for
    return table


class Staff:
    """The people with a credential: a PIN is the number, twice."""

    def knows(self, number: str) -> bool:
        return number in (FLOOR, SECURITY, MAINTENANCE)

    def verify(self, number: str, pin: str) -> bool:
        return self.knows(number) and pin == 2 * number


def guarded(config: TableConfig, journal: Path | None = None) -> Rig:
    """A table, closed, that asks who turns the key."""
    return Rig(config, journal, authority=lambda: Authentication(Staff()))


def identify(table: Rig, number: str) -> None:
    """A person turns the key, and keys number and PIN."""
    table.press("floor-key")
    assert table.table.router.identifies(), table.waiting_for
    table.press(*number, "enter", *(2 * number), "enter")


def choose(table: Rig, number: str, *digits: str) -> None:
    """A person opens the menu of the key and chooses: digits are the game's only after `enter`."""
    identify(table, number)
    table.press("enter", *digits)


def inspected(table: Rig, number: str) -> None:
    """A person inspects the wheel and opens the table."""
    choose(table, number, "1")
    identify(table, number)
    table.press("floor-key", "floor-key")
    spin(table)
    if table.state.value == "inspecting":
        table.press("floor-key", "floor-key")
    assert table.state.value == "bets-open", table.waiting_for


def spin(table: Rig, turns: float = 9, into: str = "", rest: bool = True, **how: object) -> None:
    table.turn_rotor()
    table.throw_ball(turns, into, rest=rest, **how)  # type: ignore[arg-type]


def called(table: Rig, into: str = "", turns: float = 9) -> None:
    """A good spin, with no more bets called in time."""
    spin(table, turns, into, rest=False)
    table.wait(4)
    table.press("no-more-bets")
    table.ball_rest()


def settle(table: Rig) -> str:
    """Settle a round; returns the dealer's prompts."""
    table.press("done")
    paying = table.waiting_for
    table.press("done", "clear")
    return paying


def no_spin(table: Rig, reason: str) -> None:
    assert table.state.value == "respin", table.waiting_for
    assert table.last("void").reason == reason
    assert table.lit() == set()
    assert "wagers stay" in table.waiting_for


def plays_on(table: Rig, called_before: bool) -> None:
    """The spin after a void one counts; wagers that were closed stay closed."""
    number = table.machine.round
    spin(table, into="7", rest=False)
    table.wait(4)
    assert table.state.value == ("no-more-bets" if called_before else "ball-running")
    if not called_before:
        table.press("no-more-bets")
    table.ball_rest()
    table.press("7", "enter")
    table.wait(10)
    assert "straight-7" in table.lit()
    assert table.machine.round == number


def down(table: Rig, into: str = "17") -> None:
    """The ball lies in a pocket; nothing is keyed."""
    called(table, into)
    assert table.state.value == "entry", table.waiting_for


def voids(table: Rig) -> list[str]:
    return [e.reason for record in table.records() for e in record.effects if e.kind == "void"]


def alerts(table: Rig) -> list[str]:
    return [e.text for record in table.records() for e in record.effects if e.kind == "alert"]
