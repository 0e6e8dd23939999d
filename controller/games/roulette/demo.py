"""Ten rounds of Roulette: valid and void spins, a disputed number, and faults."""

from collections.abc import Callable
from typing import Any

from controller.bench.transcript import Transcript
from controller.events.event import Direction

_Round = Callable[[Transcript], None]


def play(stage: Transcript) -> None:
    """The opening inspection and ten settled rounds."""
    stage.heading("The table opens with the inspection: ball, wheel, a trial spin, and the sensors with it")
    stage.floor("inspect")
    stage.follow("bets-open", _ANSWERS)
    for words, begin in _ROUNDS:
        stage.round(words)
        begin(stage)
        stage.follow("result", _ANSWERS)
        if begin is _power_cut:
            stage.power_cut()
        if begin is _disputed:
            stage.technician("checks the reader", stage.rig.world.repair)
        stage.settle()


def _inspect(stage: Transcript) -> None:
    if stage.rig.machine.offers()[0].unavailable:
        _throw(stage)
        _wait(stage)
    stage.floor(why="it is so")


def _throw(stage: Transcript, words: str = "throws the ball", clockwise: bool = True, **how: Any) -> None:
    way = Direction.CLOCKWISE if clockwise else Direction.COUNTERCLOCKWISE
    speed, turns = stage.random.uniform(0.35, 0.45), how.pop("turns", stage.random.uniform(8, 11))
    stage.act("dealer", f"sets the wheel turning {way.value}", lambda: stage.rig.turn_rotor(speed, way))
    stage.act("dealer", words, lambda: stage.rig.throw_ball(turns, rest=False, **how))
    stage.rig.wait(5)


def _wait(stage: Transcript) -> None:
    stage.act("dealer", "waits for the ball", stage.rig.ball_rest)


def _take_out(stage: Transcript) -> None:
    stage.act("dealer", "takes the ball out", stage.rig.world.rotor.take_ball)
    stage.rig.wait(4)


def _key(stage: Transcript) -> None:
    ball = stage.rig.world.rotor.ball
    if not stage.rig.machine.would_take("1"):
        stage.act("dealer", "waits for the reader", lambda: stage.rig.wait(10))
    elif ball is None or not ball.pocket:
        stage.press("no-spin", "1", why="the ball is not in the wheel")
        stage.key("allows it: the ball is down")
    else:
        stage.press(*ball.pocket)
        if stage.rig.machine.data.entry:  # The reader has not named it yet, or names another one.
            stage.press("enter")


_ANSWERS: dict[str, _Round] = {
    "inspecting": _inspect,
    "bets-open": _throw,
    "respin": _throw,
    "ball-running": lambda stage: stage.press("no-more-bets"),
    "no-more-bets": _wait,
    "late-call": lambda stage: stage.press("no-more-bets"),
    "entry": _key,
    "dispute": lambda stage: stage.floor(why="looks at the wheel"),
    "deciding": _key,
    "locked": lambda stage: stage.floor(why="opens the lock"),
}
"""What people do in each state."""


# -- the rounds, each up to the point from which the table's prompts lead on -----------------------------------


def _with_rotor(stage: Transcript) -> None:
    _throw(stage, "throws the ball the wrong way", with_rotor=True)
    _take_out(stage)


def _object(stage: Transcript) -> None:
    _throw(stage)
    stage.press("no-more-bets")
    stage.press("no-spin", "2", why="a foreign object")
    _take_out(stage)


def _late(stage: Transcript) -> None:
    _throw(stage)
    _wait(stage)


def _disputed(stage: Transcript) -> None:
    if stage.rig.config.devices.reader is not None:
        stage.technician("turns the reader a pocket too far", lambda: stage.rig.world.fault("reader-astray", "", 1))
        return
    stage.follow("entry", _ANSWERS)
    stage.press("3", "enter", why="by mistake")
    stage.press("correct")
    stage.key("allows it")


def _dead_beam(stage: Transcript) -> None:
    _throw(stage, turns=15.0)
    stage.technician("covers a beam", lambda: stage.rig.world.fault("stuck-high", "ball_1"))
    stage.press("no-more-bets")
    _wait(stage)
    stage.technician("uncovers it", stage.rig.world.repair)


def _power_cut(stage: Transcript) -> None:
    _throw(stage)
    stage.power_cut()
    _wait(stage)


_ROUNDS: tuple[tuple[str, _Round], ...] = (
    ("", lambda stage: None),
    ("the wheel may turn either way, the ball against it", lambda stage: _throw(stage, clockwise=False)),
    ("fewer than four revolutions are no spin", lambda stage: _throw(stage, "throws the ball weakly", turns=3.2)),
    ("the ball is thrown in the direction of the wheel", _with_rotor),
    ("the ball leaves the wheel", lambda stage: _throw(stage, "throws too hard", turns=14.0, leaves_after=7.0)),
    ("a chip falls into the wheel", _object),
    ("no more bets is called when the ball has left the track: recorded, not void", _late),
    ("the number is disputed or wrong: the floorperson looks", _disputed),
    ("a beam dies while the ball runs: the table locks", _dead_beam),
    ("the power goes while the ball runs, and again while the result is lit", _power_cut),
)
