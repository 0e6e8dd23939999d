"""A wheel with a clapper on the bench: what its people do in each state, and whether a result is true."""

from controller.bench.dealer import Dealer
from controller.bench.oracle import Announcement
from controller.bench.registry import Acts, BenchGame
from controller.bench.rig import Rig
from controller.games.clapper_wheel.bench_keys import KEYS
from controller.games.clapper_wheel.demo import play
from controller.games.clapper_wheel.rules import WheelData


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
            "closed": lambda: self._rig.floor("open"),
            "locked": dealer.unlock,
        }

    def _locate(self) -> None:
        turns = 2.3 if self._rig.machine.data.confirm else 1.2
        self._rig.turn(turns + self._dealer.rng.random(), seconds=4 * turns)

    def _confirm(self) -> None:
        """The floorperson compares the screen with the wheel, and turns the key only if they agree."""
        data = self._rig.machine.data
        assert isinstance(data, WheelData)
        section, bent = self._rig.world.wheel.true_stand()
        if data.section == (None if bent else section):
            self._rig.floor()
        else:
            self._dealer.repair()
            self._locate()


def wrong_section(result: Announcement, rig: Rig, truth: str) -> str:
    """The wheel came to rest in another section than that of the result, or with a peg bending the clapper."""
    section, bent = rig.world.wheel.true_stand()
    if result.section == section and not bent:
        return ""
    announced = "none" if result.section is None else result.section + 1
    how = "with a peg bending the clapper" if bent else "freely"
    return f"(section {announced}) the wheel stands {how} in section {section + 1}, {rig.order[section]}"


BENCH = BenchGame(lambda dealer: WheelHands(dealer).acts(), play, wrong_section, KEYS)
