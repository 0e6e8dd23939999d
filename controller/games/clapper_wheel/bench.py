"""A wheel with a clapper on the bench: the next action in each state, the demonstration, and the page's keys."""

from collections.abc import Callable
from itertools import pairwise

from controller.bench.dealer import Dealer
from controller.bench.demo import Demonstration
from controller.bench.oracle import Announcement
from controller.bench.people import Act, Acts, BenchGame, HandKey, StepData
from controller.bench.rig import Rig
from controller.events.event import Direction


def _acts(dealer: Dealer) -> Acts:
    wheel = dealer.rig.world.wheel

    def by_hand(words: str, key: str) -> Callable[[], Act]:
        """What hands do to the wheel; nothing while it turns, or the table still waits whether it rests."""

        def act() -> Act:
            tracker = dealer.rig.table.head.tracker
            turns = wheel.moving or (tracker is not None and tracker.moving)
            return Act("It turns. Wait until it rests.") if turns else Act(words, key=key)

        return act

    def confirm() -> Act:
        """The floorperson compares the screen with the wheel, and turns the key only if they agree."""
        section, bent = wheel.true_position()
        if dealer.data.section == (None if bent else section):
            return Act(floor="")
        return Act("The wheel is in another section than the screen shows. Turn it by hand.", key="h", repair=True)

    turn = by_hand(
        "The table does not know the position of the wheel yet. Turn it by hand, once around: "
        "the encoder counts from its index mark on.",
        "h",
    )
    return {
        "locating": turn,
        "confirming": confirm,
        "bets-open": Act(
            'Wagers are open. Call "No more bets", then press NO MORE BETS: before that no throw counts.',
            "no-more-bets",
        ),
        "no-more-bets": by_hand("Throw the wheel. It must make three full revolutions, or it is spun again.", "t"),
        "spinning": Act(
            "Each peg bends the clapper: watch its line among the signals. Press nothing until it rests."
        ),
        **dict.fromkeys(("bonus", "respin"), by_hand("", "t")),
        "result": Act(
            "The clapper hangs free in a section: its lamp is lit. Collect losing wagers. Then press DONE.", "done"
        ),
        "losers-collected": Act(press="done"),
        "winners-paid": Act(press="clear"),
        "locked": Act("Repair the sensor marked under Sensors. Then turn the key twice.", floor=""),
    }


def _turn(dealer: Dealer) -> None:
    """Turn the wheel by hand, far enough for a wheel whose position was only restored."""
    turns = 2.3 if dealer.data.confirm else 1.2
    dealer.rig.turn(turns + dealer.rng.random(), seconds=4 * turns)


def wrong_section(result: Announcement, rig: Rig, truth: str) -> str:
    """The wheel came to rest in another section than that of the result, or with a peg bending the clapper."""
    section, bent = rig.world.wheel.true_position()
    if result.section == section and not bent:
        return ""
    announced = "none" if result.section is None else result.section + 1
    how = "with a peg bending the clapper" if bent else "freely"
    return f"(section {announced}) the wheel stands {how} in section {section + 1}, {rig.order[section]}"


# -- the demonstration -----------------------------------------------------------------------------------------


def _thrown(throw: Callable[[Demonstration], None]) -> Callable[[Demonstration], None]:
    """No more bets, and a throw."""

    def scene(table: Demonstration) -> None:
        table.press("no-more-bets")
        throw(table)

    return scene


def _again(table: Demonstration) -> None:
    """A section that calls for another spin; where there is none, a spin that the floorperson calls void."""
    again = table.machine.rounds.again
    table.spin(stop_on=min(again) if again else None, rest=bool(again))
    if again:
        table.spin(stop_on=table.game.areas[-3], direction=Direction.CLOCKWISE)
    else:
        table.floor("void", "wheel-hindered")


def _cuts(table: Demonstration) -> None:
    table.spin(stop_on=table.game.areas[0], rest=False)
    table.power_cut()
    table.dealer.follow("result")
    table.power_cut()


def _contact_dies(table: Demonstration) -> None:
    table.fault("dead-clapper")
    table.spin()
    table.repair()


SCENES = (
    ("", _thrown(lambda table: table.spin(stop_on=table.game.areas[0]))),
    ("either direction counts", _thrown(lambda table: table.spin(direction=Direction.CLOCKWISE))),
    ("fewer than three revolutions are no spin", _thrown(lambda table: table.spin(1.7))),
    (
        "the clapper stops on a peg, between two sections",
        _thrown(lambda table: table.spin(stop_between=table.random.choice([*pairwise(table.order)]))),
    ),
    ("a press that is not possible now", lambda table: table.press("done")),
    ("a section that calls for another spin, or a player who touches the wheel", _thrown(_again)),
    ("the wheel is thrown while wagers are open", Demonstration.spin),
    ("the power goes while the wheel turns, and again while the result is lit", _thrown(_cuts)),
    ("the clapper's contact dies: the sensors disagree, and the table locks", _thrown(_contact_dies)),
    ("the highest odds", _thrown(lambda table: table.spin(stop_on=table.game.areas[-1]))),
)


# -- the keys of the page --------------------------------------------------------------------------------------


def _spin(**how: object) -> tuple[StepData, StepData]:
    """A throw, and the same clockwise."""
    return {"spin": how}, {"spin": {**how, "direction": "clockwise"}}


def _keys(at: Rig) -> tuple[HandKey, ...]:
    names = (name for name in dict.fromkeys((*at.game.areas, *at.order)) if name in at.order)
    stops = {name: {"spin": {"stop_on": name}} for name in names}
    return (
        HandKey("t", "throw hard", *_spin(revolutions=4.5)),
        HandKey("w", "throw weakly", *_spin(revolutions=2)),
        HandKey("b", "throw onto a peg", *_spin(stop_between=["section 1", "section 2"])),
        HandKey("s", "throw onto a section", choices=stops),
        HandKey("h", "turn by hand", {"turn": {"revolutions": 1.1}}, {"turn": {"revolutions": -1.1}}),
        HandKey("g", "grab and hold", {"hand": {"hold": True}}),
        HandKey("l", "let go", {"hand": {"let_go": True}}),
        HandKey("u", "nudge", {"hand": {"push_deg_s": 20}}, {"hand": {"push_deg_s": -20}}),
        HandKey("r", "rub on the rim", {"hand": {"brake_nm": 1}}),
    )


BENCH = BenchGame(
    _acts,
    wrong_section,
    SCENES,
    {"t": lambda dealer: dealer.throw(), "h": _turn},
    then="Now make it go wrong: throw weakly, let it stop on a peg, push the wheel while it turns, break a line. "
    "The first line shows how the table decides.",
    keys=_keys,
)
