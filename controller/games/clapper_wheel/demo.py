"""Ten rounds on a wheel with a clapper: valid and void spins, a bonus, and faults."""

from collections.abc import Callable

from controller.bench.transcript import Transcript

_ONCE, _TWICE = 1.2, 2.2
"""Revolutions by hand."""


def play(stage: Transcript) -> None:
    """Ten settled rounds."""
    stage.heading("The table starts: it does not know yet where the wheel stands")
    _follow(stage, "bets-open")
    for number, act in enumerate(_ROUNDS):
        act(stage)
        _follow(stage, "result")
        if number == _CUT_AT_RESULT:
            stage.power_cut()
        stage.settle()
        if number < len(_ROUNDS) - 1:
            _follow(stage, "bets-open")


def _follow(stage: Transcript, until: str) -> None:
    stage.follow(until, _ANSWERS)


def _throw(stage: Transcript) -> None:
    stage.throw(stage.random.uniform(4, 5), clockwise=stage.random.random() < 0.5)


def _throw_again(stage: Transcript) -> None:
    stage.throw(stage.random.uniform(4, 5), "throws it again")


def _throw_bonus(stage: Transcript) -> None:
    stage.throw(stage.random.uniform(4, 5), "throws the bonus spin")


def _wait(stage: Transcript) -> None:
    stage.act("dealer", "waits until the wheel stands", stage.rig.rest)


_ANSWERS: dict[str, Callable[[Transcript], None]] = {
    "locating": lambda stage: stage.turn(_TWICE if stage.rig.machine.data.confirm else _ONCE),
    "confirming": lambda stage: stage.floor(why="the clapper is there"),
    "locked": lambda stage: stage.floor(why="opens the lock"),
    "bets-open": lambda stage: stage.press("no-more-bets"),
    "no-more-bets": _throw,
    "spinning": _wait,
    "void-spin": _wait,
    "respin": _throw_again,
    "bonus": _throw_bonus,
}
"""What people do in each state."""


# -- the rounds, each up to the point from which the table's prompts lead on -------------------------------------


def _plain(stage: Transcript) -> None:
    stage.round()


def _clockwise(stage: Transcript) -> None:
    stage.round("either direction counts")
    stage.press("no-more-bets")
    stage.throw(stage.random.uniform(4, 5), clockwise=True)


def _weak(stage: Transcript) -> None:
    stage.round("fewer than three revolutions are no spin")
    stage.press("no-more-bets")
    stage.throw(stage.random.uniform(1.5, 2), "throws the wheel weakly")


def _between(stage: Transcript) -> None:
    stage.round("the clapper stops on a peg, between two sections")
    stage.press("no-more-bets")
    stage.throw(4, stop_between=stage.random.randrange(len(stage.game.wheel)))


def _refused(stage: Transcript) -> None:
    stage.round("a press that is not possible now")
    stage.press("done", why="by mistake")


def _bonus(stage: Transcript) -> None:
    again = stage.rig.machine.rounds.again
    if not again:
        _called_off(stage)
        return
    section = min(again)
    words = "a multiplier" if again[section] > 1 else "a free spin"
    stage.round(f"{words}: wagers stay, and the wheel is spun again")
    stage.press("no-more-bets")
    stage.throw(4, stop_on=section)
    stage.throw(4, "throws the bonus spin", stop_on=stage.game.areas[-3:][0], clockwise=True)


def _called_off(stage: Transcript) -> None:
    stage.round("a player has touched the wheel: the floorperson calls the spin void")
    stage.press("no-more-bets")
    stage.throw(4.5, rest=False)
    stage.floor("void", "wheel-hindered", "a player has touched the wheel")


def _too_early(stage: Transcript) -> None:
    stage.round("the wheel is thrown while wagers are open")
    stage.throw(stage.random.uniform(3, 4), "throws the wheel too early")


def _power_cut(stage: Transcript) -> None:
    stage.round("the power goes while the wheel turns, and again while the result is lit")
    stage.press("no-more-bets")
    stage.throw(4.5, rest=False)
    stage.power_cut()
    _wait(stage)


def _dead_clapper(stage: Transcript) -> None:
    stage.round("the clapper's contact dies: the sensors disagree, and the table locks")
    stage.press("no-more-bets")
    stage.technician("disconnects the clapper's contact", lambda: stage.rig.world.fault("dead-clapper"))
    stage.throw(stage.random.uniform(4, 5))
    stage.technician("connects it again", stage.rig.world.repair)


def _rarest(stage: Transcript) -> None:
    stage.round("the highest odds")
    stage.press("no-more-bets")
    stage.throw(4, stop_on=stage.game.areas[-1])


_ROUNDS = (
    _plain,
    _clockwise,
    _weak,
    _between,
    _refused,
    _bonus,
    _too_early,
    _power_cut,
    _dead_clapper,
    _rarest,
)
_CUT_AT_RESULT = _ROUNDS.index(_power_cut)
