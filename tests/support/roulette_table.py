"""A roulette table that is open for wagers, and the actions of its people."""

from pathlib import Path

from effects import effects
from staff import identify, staff

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.events.effect import InspectionLogged

# -- people --------------------------------------------------------------------------------------------------------


def guarded(config: TableConfig, journal: Path | None = None) -> Rig:
    """A table, closed, that asks who turns the key."""
    return Rig(config, journal, staff=staff())


def choose(table: Rig, number: str, *digits: str) -> None:
    """A person identifies, and chooses in the menu."""
    identify(table, number)
    table.press(*digits)


# -- the inspection ------------------------------------------------------------------------------------------------


def up_to_the_trial_spin(table: Rig) -> None:
    """A closed table is inspected up to the trial spin."""
    table.floor("inspect")
    table.floor("confirm")
    table.floor("confirm")


def confirm_the_rest(table: Rig) -> None:
    """The trial spin was seen: the steps from it on are confirmed."""
    while table.state.value == "inspecting":
        table.floor("confirm")
    assert table.state.value == "bets-open", table.waiting_for


def inspected(table: Rig, number: str) -> None:
    """A person inspects the wheel and opens the table."""
    choose(table, number, "floor-key")
    table.floor("confirm")
    table.floor("confirm")
    spin(table)
    confirm_the_rest(table)


# -- the ball ------------------------------------------------------------------------------------------------------


def spin(table: Rig, turns: float = 9, into: str = "", rest: bool = True, **how: object) -> None:
    table.turn_rotor()
    table.throw_ball(turns, into, rest=rest, **how)  # type: ignore[arg-type]


def running(table: Rig, into: str = "17", turns: float = 12, seconds: float = 4) -> None:
    """The ball is in the track."""
    spin(table, turns, into, rest=False)
    table.wait(seconds)
    assert table.state.value == "ball-running", table.waiting_for


def called(table: Rig, into: str = "", turns: float = 9) -> None:
    """A good spin, with no more bets called in time."""
    spin(table, turns, into, rest=False)
    table.wait(4)
    table.press("no-more-bets")
    table.ball_rest()


def down(table: Rig, into: str = "17") -> None:
    """The ball lies in a pocket; nothing is keyed."""
    called(table, into)
    assert table.state.value == "entry", table.waiting_for


def key(table: Rig, pocket: str) -> None:
    """The dealer keys a number."""
    table.press(*pocket, "enter")


def settle(table: Rig) -> None:
    table.press("done", "done", "clear")


def no_spin(table: Rig, reason: str) -> None:
    """The last spin was void; wagers stay."""
    assert table.state.value == "respin", table.waiting_for
    assert table.last("void").reason == reason
    assert table.lit() == set()


def plays_on(table: Rig, called_before: bool) -> None:
    """The spin after a void one counts; wagers that were closed stay closed."""
    number = table.machine.round
    spin(table, into="7", rest=False)
    table.wait(4)
    assert table.state.value == ("no-more-bets" if called_before else "ball-running")
    if not called_before:
        table.press("no-more-bets")
    table.ball_rest()
    key(table, "7")
    table.wait(10)
    assert "straight-7" in table.lit()
    assert table.machine.round == number


# -- the record ----------------------------------------------------------------------------------------------------


def logged(table: Rig) -> list[InspectionLogged]:
    return effects(table, "inspection-logged")


def refused_because(table: Rig) -> str:
    """Why the last press or act was refused, as a code."""
    return str(table.last("refused").why)
