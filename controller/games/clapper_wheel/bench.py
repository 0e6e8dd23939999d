"""A wheel with a clapper on the bench: its people, whether a result is true, a demonstration, the page's keys."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from controller.bench.dealer import Dealer
from controller.bench.keys import LETTERS, Binding, Choice, KeyAction, Menu, does
from controller.bench.live import LiveBench
from controller.bench.oracle import Announcement
from controller.bench.registry import Acts, BenchGame
from controller.bench.rig import Rig
from controller.bench.technician_menu import technician_menu
from controller.bench.transcript import Transcript
from controller.events.event import Direction
from controller.games.clapper_wheel.rules import WheelData


@dataclass(frozen=True)
class WheelHands:
    """Dealer and floorperson at a wheel."""

    dealer: Dealer

    def acts(self) -> Acts:
        """What to do in each state."""
        dealer, rig = self.dealer, self.dealer.rig
        return {
            "locating": self._locate,
            "confirming": self._confirm,
            "bets-open": lambda: rig.press("no-more-bets"),
            **dict.fromkeys(("no-more-bets", "respin", "bonus"), dealer.throw),
            **dict.fromkeys(("spinning", "void-spin"), lambda: rig.wait(5)),
            **dict.fromkeys(("result", "losers-collected"), lambda: rig.press("done")),
            "winners-paid": lambda: rig.press("clear"),
            "closed": lambda: rig.floor("open"),
            "locked": dealer.unlock,
        }

    def _locate(self) -> None:
        turns = 2.3 if self.dealer.rig.machine.data.confirm else 1.2
        self.dealer.rig.turn(turns + self.dealer.rng.random(), seconds=4 * turns)

    def _confirm(self) -> None:
        """The floorperson compares the screen with the wheel, and turns the key only if they agree."""
        data = self.dealer.rig.machine.data
        assert isinstance(data, WheelData)
        section, bent = self.dealer.rig.world.wheel.true_stand()
        if data.section == (None if bent else section):
            self.dealer.rig.floor()
        else:
            self.dealer.repair()
            self._locate()


def wrong_section(result: Announcement, rig: Rig, truth: str) -> str:
    """The wheel came to rest in another section than that of the result, or with a peg bending the clapper."""
    section, bent = rig.world.wheel.true_stand()
    if result.section == section and not bent:
        return ""
    announced = "none" if result.section is None else result.section + 1
    how = "with a peg bending the clapper" if bent else "freely"
    return f"(section {announced}) the wheel stands {how} in section {section + 1}, {rig.order[section]}"


# -- the demonstration -----------------------------------------------------------------------------------------

_Act = Callable[[Transcript], None]


def _throws(words: str = "throws the wheel", turns: tuple[float, float] = (4.0, 5.0), **how: Any) -> _Act:
    """Throw the wheel."""
    return lambda stage: stage.throw(stage.random.uniform(*turns), words, **how)


def _calls(stage: Transcript) -> None:
    stage.press("no-more-bets")


def _wait(stage: Transcript) -> None:
    stage.act("dealer", "waits until the wheel stands", stage.rig.rest)


_ANSWERS: dict[str, _Act] = {
    "locating": lambda stage: stage.turn(2.2 if stage.rig.machine.data.confirm else 1.2),
    "confirming": lambda stage: stage.floor(why="the clapper is there"),
    "locked": lambda stage: stage.floor(why="opens the lock"),
    "bets-open": _calls,
    "no-more-bets": lambda stage: _throws(clockwise=stage.random.random() < 0.5)(stage),
    **dict.fromkeys(("spinning", "void-spin"), _wait),
    "respin": _throws("throws it again"),
    "bonus": _throws("throws the bonus spin"),
}
"""What people do in each state."""


def _stops_between(stage: Transcript) -> None:
    stage.throw(4, stop_between=stage.random.randrange(len(stage.game.wheel)))


def _stops_on_rarest(stage: Transcript) -> None:
    stage.throw(4, stop_on=stage.game.areas[-1])


def _spins_again(stage: Transcript) -> None:
    stage.throw(4, stop_on=min(stage.rig.machine.rounds.again))
    stage.throw(4, "throws the bonus spin", stop_on=stage.game.areas[-3], clockwise=True)


def _contact_dies(stage: Transcript) -> None:
    stage.technician("disconnects the clapper's contact", lambda: stage.rig.world.fault("dead-clapper"))
    _throws()(stage)
    stage.technician("connects it again", stage.rig.world.repair)


def _called_off(stage: Transcript) -> None:
    stage.floor("void", "wheel-hindered", "a player has touched the wheel")


def _rounds(again: bool) -> tuple[tuple[str, tuple[_Act, ...]], ...]:
    """The rounds, each up to the point from which the table's prompts lead on.

    Args:
        again: the wheel has a section that calls for another spin.
    """
    called_off = (
        "a player has touched the wheel: the floorperson calls the spin void",
        (_calls, _throws(rest=False), _called_off),
    )
    bonus = "a section that calls for another spin: wagers stay", (_calls, _spins_again)
    return (
        ("", ()),
        ("either direction counts", (_calls, _throws(clockwise=True))),
        ("fewer than three revolutions are no spin", (_calls, _throws("throws the wheel weakly", (1.5, 2.0)))),
        ("the clapper stops on a peg, between two sections", (_calls, _stops_between)),
        ("a press that is not possible now", (lambda stage: stage.press("done", why="by mistake"),)),
        bonus if again else called_off,
        ("the wheel is thrown while wagers are open", (_throws("throws the wheel too early", (3.0, 4.0)),)),
        (
            "the power goes while the wheel turns, and again while the result is lit",
            (_calls, _throws(rest=False), Transcript.power_cut, _wait),
        ),
        ("the clapper's contact dies: the sensors disagree, and the table locks", (_calls, _contact_dies)),
        ("the highest odds", (_calls, _stops_on_rarest)),
    )


def play(stage: Transcript) -> None:
    """Ten rounds: valid and void spins, a bonus where there is one, and faults."""
    stage.heading("The table starts: it does not know yet where the wheel stands")
    for words, acts in _rounds(bool(stage.rig.machine.rounds.again)):
        stage.follow("bets-open", _ANSWERS)
        stage.round(words)
        for act in acts:
            act(stage)
        stage.follow("result", _ANSWERS)
        if Transcript.power_cut in acts:
            stage.power_cut()
        stage.settle()


# -- the keys of the page --------------------------------------------------------------------------------------

_NUDGE_DEG_S = {Direction.COUNTERCLOCKWISE: 20.0, Direction.CLOCKWISE: -20.0}
_RUB_NM, _RUB_S = 1.0, 1.0


def _ways(key: str, short: str, long: str, act: Callable[[LiveBench, Direction], Menu | None]) -> Binding:
    """A key for counterclockwise, and its capital for clockwise."""

    def towards(direction: Direction) -> KeyAction:
        return lambda bench: act(bench, direction)

    return Binding(key, short, long, towards(Direction.COUNTERCLOCKWISE), towards(Direction.CLOCKWISE))


def _choose_section(bench: LiveBench, direction: Direction) -> Menu:
    def stop_on(section: str) -> KeyAction:
        return does(lambda bench: bench.stop_on(section, direction))

    names = (name for name in dict.fromkeys((*bench.game.areas, *bench.game.wheel)) if name in bench.game.wheel)
    choices = tuple(Choice(name, stop_on(name)) for name in names)
    return Menu(f"stop on which section, {direction.value}?", choices, LETTERS)


KEYS = (
    _ways("t", "throw", "throw hard, 4 to 5 turns", lambda bench, way: bench.throw(True, way)),
    _ways("w", "weak", "throw weakly, 1.5 to 2.5 turns", lambda bench, way: bench.throw(False, way)),
    _ways("b", "on a peg", "throw it to stop on a peg", LiveBench.stop_on_peg),
    _ways("s", "section", "throw it to stop on a section", _choose_section),
    _ways("h", "by hand", "turn by hand, just over once", LiveBench.turn_by_hand),
    Binding("g", "grab", "grab the wheel and hold it", does(LiveBench.grab)),
    Binding("l", "let go", "let the wheel go", does(LiveBench.let_go)),
    _ways("u", "", "nudge the wheel", lambda bench, way: bench.push(_NUDGE_DEG_S[way])),
    Binding("r", "", "rub on the rim for a second", does(lambda bench: bench.brake(_RUB_NM, _RUB_S))),
    Binding("v", "technician", "another wheel, wear, bent pegs", technician_menu),
)
BENCH = BenchGame(lambda dealer: WheelHands(dealer).acts(), play, wrong_section, KEYS)
