"""The first round of roulette."""

from controller.bench.guide import GameGuide, GuideStep, keyed
from controller.bench.live import LiveBench
from controller.games.roulette.play import TRIAL_STEP, RouletteData


def _data(bench: LiveBench) -> RouletteData:
    data = bench.table.machine.data
    assert isinstance(data, RouletteData)
    return data


def _turns(bench: LiveBench) -> bool:
    return bench.world.rotor.rotor_direction != 0


def _spin(bench: LiveBench, words: str) -> GuideStep:
    if not _turns(bench):
        return GuideStep(f"{words} First set the wheel turning.", key="r")
    return GuideStep(f"{words} Throw the ball against the turning wheel.", key="t")


def _inspect(bench: LiveBench) -> GuideStep:
    data = _data(bench)
    if data.step == TRIAL_STEP and not data.trial:
        if bench.world.rotor.ball is not None:
            return GuideStep("The sensors follow the ball. Wait until the table says what they saw.")
        return _spin(bench, "A trial spin shows whether the sensors see ball and wheel.")
    if data.step == TRIAL_STEP:
        return GuideStep("Did it run as the screen says? Then the floorperson turns the key.", "floor-key")
    return GuideStep(
        "The floorperson looks at what the line above says, and turns the key if it is so.", "floor-key"
    )


def _running(bench: LiveBench) -> GuideStep:
    if bench.world.rotor.ball is None:
        return GuideStep("The ball rests. Call no more bets.", "no-more-bets")
    return GuideStep("While the ball runs, the dealer calls no more bets, and presses it.", "no-more-bets")


def _enter(bench: LiveBench) -> GuideStep:
    ball, entry = bench.world.rotor.ball, _data(bench).entry
    if ball is None or not ball.pocket:
        return GuideStep("The ball comes to rest. Wait.")
    if _data(bench).keyed:
        return GuideStep("The wheel reader looks where the ball lies. Wait until both agree.")
    words = f"The ball lies in {ball.pocket}. The dealer announces it, and keys it, then enter."
    return keyed(words, (*ball.pocket, "enter"), len(entry))


GUIDE = GameGuide(
    {
        "closed": GuideStep("The table is closed. The floorperson's key opens the menu.", "floor-key"),
        "floor-menu": GuideStep("Choose the inspection: no table opens without it.", "1"),
        "inspector": GuideStep("The floorperson's key says who inspects.", "floor-key"),
        "inspecting": _inspect,
        "bets-open": lambda bench: _spin(bench, "Wagers are open, and stay open while the ball is thrown."),
        "respin": lambda bench: _spin(bench, "That spin does not count; the first line says why."),
        "ball-running": _running,
        "late-call": GuideStep("The ball has left the track already: call no more bets now.", "no-more-bets"),
        "no-more-bets": GuideStep("The ball must make four revolutions. Nothing is pressed until it rests."),
        "entry": _enter,
        "result": GuideStep(
            "Place the point marker. The dealer collects the losing wagers, then presses done.", "done"
        ),
        "losers-collected": GuideStep("The dealer pays the winning wagers, then presses done.", "done"),
        "winners-paid": GuideStep("Remove the marker. Clear opens the next round.", "clear"),
    },
    "Now make it go wrong: throw the ball weakly or with the wheel, call no spin, key another number than the ball "
    "lies in, break a ball sensor.",
)
