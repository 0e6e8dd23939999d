"""A wheel with a clapper: the hands that throw and turn it."""

from typing import TYPE_CHECKING

from controller.bench.dealer import Dealer
from controller.bench.oracle import Announcement
from controller.bench.registry import Acts, BenchGame
from controller.bench.rig import Rig
from controller.games.clapper_wheel.demo import play
from controller.games.clapper_wheel.rules import WheelData

if TYPE_CHECKING:
    from controller.bench.terminal.view import View


class WheelHands:
    """Dealer and floorperson at a wheel."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._rig = dealer.rig

    def acts(self) -> Acts:
        """What to do in each state."""
        dealer, press, wait = self._dealer, self._rig.press, self._rig.wait
        return {
            "locating": self._locate,
            "confirming": self._confirm,
            "bets-open": lambda: press("no-more-bets"),
            **dict.fromkeys(("no-more-bets", "respin", "bonus"), dealer.throw),
            **dict.fromkeys(("spinning", "void-spin"), lambda: wait(5)),
            **dict.fromkeys(("result", "losers-collected"), lambda: press("done")),
            "winners-paid": lambda: press("clear"),
            "locked": dealer.unlock,
        }

    def _locate(self) -> None:
        turns = 2.3 if self._rig.machine.data.confirm else 1.2
        self._rig.turn(turns + self._dealer.rng.random(), seconds=4 * turns)

    def _confirm(self) -> None:
        """The floorperson compares what the screen says with the wheel, and turns the key only if they agree."""
        data = self._rig.machine.data
        assert isinstance(data, WheelData)
        section, bent = self._rig.world.wheel.true_stand()
        if data.section == (None if bent else section):
            self._rig.press("floor-key")
        else:
            self._dealer.mend()
            self._locate()


def _view() -> "View":
    from controller.games.clapper_wheel.terminal import VIEW

    return VIEW


def stands_elsewhere(said: Announcement, rig: Rig, truth: str) -> str:
    """The wheel came to rest in another section than a result says, or with a peg bending the clapper."""
    section, bent = rig.world.wheel.true_stand()
    if said.section == section and not bent:
        return ""
    told = "none" if said.section is None else said.section + 1
    how = "with a peg bending the clapper" if bent else "freely"
    return f"(section {told}) the wheel stands {how} in section {section + 1}, {rig.order[section]}"


BENCH = BenchGame(lambda dealer: WheelHands(dealer).acts(), play, _view, stands_elsewhere)
