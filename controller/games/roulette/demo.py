"""Ten rounds of Roulette: valid and void spins, a disputed number, and faults."""

from collections.abc import Callable

from controller.bench.transcript import Transcript
from controller.events.event import Direction
from controller.games.roulette.play import TRIAL_STEP


def play(stage: Transcript) -> None:
    """The opening inspection and ten settled rounds."""
    stage.heading("The table opens with the inspection: ball, wheel, a trial spin, and the sensors with it")
    stage.key("opens the menu")
    stage.press("1", why="the opening inspection")
    stage.key("inspects")
    _follow(stage, "bets-open")
    for number, act in enumerate(_ROUNDS):
        act(stage)
        _follow(stage, "result")
        if number == _CUT_AT_RESULT:
            stage.power_cut()
        stage.settle()


def _follow(stage: Transcript, until: str) -> None:
    stage.follow(until, _ANSWERS)


def _inspect(stage: Transcript) -> None:
    data = stage.rig.machine.data
    if data.step == TRIAL_STEP and not data.trial:
        _throw(stage)
        _wait(stage)
    stage.key("confirms")


def _throw(stage: Transcript, clockwise: bool = True, words: str = "throws the ball", **how: object) -> None:
    way = Direction.CLOCKWISE if clockwise else Direction.COUNTERCLOCKWISE
    speed = stage.random.uniform(0.35, 0.45)
    stage.act("dealer", f"sets the wheel turning {way.value}", lambda: stage.rig.turn_rotor(speed, way))
    turns = how.pop("turns", None) or stage.random.uniform(8, 11)
    stage.act("dealer", words, lambda: _thrown(stage, turns, how))


def _thrown(stage: Transcript, turns: object, how: dict[str, object]) -> None:
    stage.rig.throw_ball(turns, rest=False, **how)  # type: ignore[arg-type]
    stage.rig.wait(5)


def _wait(stage: Transcript) -> None:
    stage.act("dealer", "waits for the ball", stage.rig.ball_rest)


def _reader(stage: Transcript) -> None:
    stage.act("dealer", "waits for the reader", lambda: stage.rig.wait(10))


def _key(stage: Transcript) -> None:
    data, ball = stage.rig.machine.data, stage.rig.world.rotor.ball
    assert ball is not None
    if data.keyed or "enter" not in stage.rig.waiting_for:
        _reader(stage)
    elif not ball.pocket:
        stage.press("no-spin", "1", why="the ball is not in the wheel")
        stage.key("calls it: the ball is down")
    else:
        stage.press(*ball.pocket)
        if stage.rig.machine.data.entry:  # The reader has not named it yet, or names another one.
            stage.press("enter")


_ANSWERS: dict[str, Callable[[Transcript], None]] = {
    "inspecting": _inspect,
    "bets-open": _throw,
    "respin": _throw,
    "ball-running": lambda stage: stage.press("no-more-bets"),
    "no-more-bets": _wait,
    "late-call": lambda stage: stage.press("no-more-bets"),
    "entry": _key,
    "dispute": lambda stage: stage.key("looks at the wheel"),
    "deciding": _key,
    "locked": lambda stage: stage.key("opens the lock"),
}
"""What people do in each state."""


# -- the rounds, each up to the point from which the table's prompts lead on -------------------------------------


def _plain(stage: Transcript) -> None:
    stage.round()


def _other_way(stage: Transcript) -> None:
    stage.round("the wheel may turn either way, the ball against it")
    _throw(stage, clockwise=False)


def _weak(stage: Transcript) -> None:
    stage.round("fewer than four revolutions are no spin")
    _throw(stage, words="throws the ball weakly", turns=3.2)
    _wait(stage)


def _with_rotor(stage: Transcript) -> None:
    stage.round("the ball is thrown in the direction of the wheel")
    _throw(stage, words="throws the ball the wrong way", with_rotor=True)
    stage.act("dealer", "takes the ball out", stage.rig.world.rotor.take_ball)
    stage.rig.wait(4)


def _out(stage: Transcript) -> None:
    stage.round("the ball leaves the wheel")
    _throw(stage, words="throws the ball too hard", turns=14, leaves_after=7)
    _wait(stage)


def _object(stage: Transcript) -> None:
    stage.round("a chip falls into the wheel")
    _throw(stage)
    stage.press("no-more-bets")
    stage.press("no-spin", "2", why="a foreign object")
    stage.act("dealer", "takes the ball out", stage.rig.world.rotor.take_ball)
    stage.rig.wait(4)


def _late(stage: Transcript) -> None:
    stage.round("no more bets is called when the ball has left the track: recorded, not void")
    _throw(stage)
    _wait(stage)


def _disputed(stage: Transcript) -> None:
    if stage.rig.config.devices.reader is None:
        _mistaken(stage)
        return
    stage.round("the reader and the dealer do not agree: the floorperson looks")
    stage.technician("turns the reader a pocket too far", lambda: stage.rig.world.fault("reader-astray", "", 1))
    _follow(stage, "result")
    stage.technician("turns it back", stage.rig.world.repair)


def _mistaken(stage: Transcript) -> None:
    """A number that was keyed wrongly, and is corrected."""
    stage.round("the dealer keys a wrong number; the floorperson allows the correction")
    _follow(stage, "entry")
    stage.press("3", "enter", why="by mistake")
    stage.press("correct")
    stage.key("allows it")


def _dead_beam(stage: Transcript) -> None:
    stage.round("a beam dies while the ball runs: the table locks")
    _throw(stage, turns=15.0)
    stage.technician("covers a beam", lambda: stage.rig.world.fault("stuck-high", "ball_1"))
    stage.press("no-more-bets")
    _wait(stage)
    stage.technician("uncovers it", stage.rig.world.repair)


def _power_cut(stage: Transcript) -> None:
    stage.round("the power goes while the ball runs, and again while the result is lit")
    _throw(stage)
    stage.power_cut()
    _wait(stage)


_ROUNDS = (
    _plain,
    _other_way,
    _weak,
    _with_rotor,
    _out,
    _object,
    _late,
    _disputed,
    _dead_beam,
    _power_cut,
)
_CUT_AT_RESULT = _ROUNDS.index(_power_cut)
