"""The first round of roulette."""

from controller.bench.guide import GameGuide, GuideStep, keyed
from controller.bench.live import LiveBench
from controller.games.roulette.rules import RouletteData


def _spin(bench: LiveBench, words: str) -> GuideStep:
    if not bench.world.rotor.rotor_direction:
        return GuideStep(f"{words} First set the wheel turning.", key="r")
    return GuideStep(f"{words} Throw the ball against the turning wheel.", key="t")


def _inspect(bench: LiveBench) -> GuideStep:
    if bench.table.machine.offers()[0].unavailable:
        if bench.world.rotor.ball is not None:
            return GuideStep("The sensors follow the ball. Wait until the table shows the trial spin.")
        return _spin(bench, "A trial spin shows whether the sensors see ball and wheel.")
    return GuideStep(
        "The floorperson checks what the line above says, turns the key and presses enter.", "floor-key"
    )


def _running(bench: LiveBench) -> GuideStep:
    if bench.world.rotor.ball is None:
        return GuideStep("The ball rests. Call no more bets.", "no-more-bets")
    return GuideStep("While the ball runs, the dealer calls no more bets, and presses it.", "no-more-bets")


def _enter(bench: LiveBench) -> GuideStep:
    ball, data = bench.world.rotor.ball, bench.table.machine.data
    assert isinstance(data, RouletteData)
    if ball is None or not ball.pocket:
        return GuideStep("The ball comes to rest. Wait.")
    if data.keyed:
        return GuideStep("The wheel reader looks where the ball lies. Wait until both agree.")
    words = f"The ball lies in {ball.pocket}. The dealer announces it, and keys it, then enter."
    return keyed(words, (*ball.pocket, "enter"), len(data.entry))


GUIDE = GameGuide(
    {
        "closed": GuideStep(
            "The table is closed. The floorperson turns the key and presses enter to inspect it.", "floor-key"
        ),
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
