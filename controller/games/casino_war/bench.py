"""Casino War on the bench: what dealer and players do in each state, the demonstration, the first round."""

from collections.abc import Callable

from controller.bench.dealer import Dealer
from controller.bench.demo import Demonstration
from controller.bench.live import LiveBench
from controller.bench.oracle import named_otherwise
from controller.bench.registry import Acts, BenchGame, GameGuide, GuideStep, keyed
from controller.games.casino_war.game import WarRules
from controller.games.casino_war.rules import BURNED, RANKS, SUITS

PRESSES = {"bets-open": "no-more-bets", "settled": "clear"}


class WarHands:
    def __init__(self, dealer: Dealer) -> None:
        self._dealer, self._rig = dealer, dealer.rig
        self._rules = WarRules.model_validate(self._rig.config.rules)
        self._shoe, self._truth = list[str](), list[str]()
        self._dealt: tuple[int, bool, tuple[int, ...]] = (0, False, ())
        """The deal for which cards were drawn: round, whether it is the war deal, and positions."""
        self._seated = 0
        """The last round whose players were looked at."""

    def acts(self) -> Acts:
        press = self._rig.press
        return {
            "shuffle": self._shuffle,
            "positions": self._seat,
            **dict.fromkeys(("deal", "war-deal"), self._deal),
            "decision": lambda: press("war" if self._dealer.rng.random() < 0.7 else "surrender"),
            "settling": self._settle,
        }

    def _shuffle(self) -> None:
        self._shoe = list(RANKS) * SUITS * self._rules.shoe
        self._dealer.rng.shuffle(self._shoe)
        self._shoe.pop()
        self._rig.press("enter")

    def _seat(self) -> None:
        data, rng, most = self._rig.machine.data, self._dealer.rng, self._rules.positions
        self._seated = data.round
        if data.last_position:  # A stuck key has entered a position before the dealer, or after.
            self._rig.press("clear")
        chosen = set(rng.sample(range(1, most + 1), rng.randint(1, most)))
        self._rig.press(*map(str, sorted(chosen ^ {*self._rig.machine.data.seats})), "enter")

    def _players_changed(self) -> bool:
        """Some come and go between two rounds, so that the positions of the last one are not those of this one."""
        data = self._rig.machine.data
        begins = self._seated != data.round and not (data.at_war or data.wagers_closed)
        self._seated = data.round if begins else self._seated
        return begins and self._dealer.rng.random() < 0.3

    def _deal(self) -> None:
        """Key the missing cards; take back wrong ones."""
        data, press = self._rig.machine.data, self._rig.press
        if self._players_changed():
            press("clear")
        elif data.steps and not data.keyed:
            press("done")
        elif self._dealt != (data.round, data.at_war, data.dealt_to) and data.keyed:
            press("clear")  # A stuck key has entered a card before the dealer.
        else:
            self._draw(data.round, data.at_war, data.dealt_to)
            if list(data.keyed) == self._truth[: len(data.keyed)]:
                press(*self._truth[len(data.keyed) :])
            # A stuck key may have added a card, or left one out.
            press("enter" if list(self._rig.machine.data.keyed) == self._truth else "clear")

    def _draw(self, number: int, at_war: bool, seats: tuple[int, ...]) -> None:
        """Take the cards of a deal out of the shoe, once."""
        if self._dealt == (number, at_war, seats):
            return
        self._dealt = (number, at_war, seats)
        self._dealer.witness.tally.spins += 1
        left = self._shoe[BURNED * at_war :]  # If too few are left, a set of all ranks replaces them.
        self._shoe = left if len(left) > len(seats) else list(RANKS)
        self._truth = [self._shoe.pop() for _ in range(len(seats) + 1)]
        self._dealer.witness.truth = "-".join(self._truth)
        if len(self._shoe) < len(RANKS) * SUITS:
            self._rig.press("cover-card")

    def _settle(self) -> None:
        """A dealer may press clear once the last step is done."""
        self._rig.press("clear" if self._rig.machine.data.last_step and self._dealer.rng.random() < 0.7 else "done")


# -- the demonstration -----------------------------------------------------------------------------------------


def _deals(seats: str, cards: str, choices: str = "", war: str = "") -> Callable[[Demonstration], None]:
    """A round with these positions, their cards and the dealer's, choices, and cards of the war deal.

    At a table with fewer positions the dealer plays on.
    """

    def scene(table: Demonstration) -> None:
        if int(seats[-1]) > WarRules.model_validate(table.config.rules).positions:
            return
        table.press("no-more-bets")
        before, now = {*table.machine.data.seats}, {*map(int, seats.split())}
        if before and before != now:
            table.press("clear")
        if before != now:
            table.press(*map(str, sorted(now ^ before)), "enter")
        table.do(f"{cards} enter")
        while table.state.value == "settling" and not table.machine.data.last_step:
            table.press("done")
        for choice in choices.split():
            table.press(choice)
        while war and table.machine.data.steps:
            table.press("done")
        if war:
            table.do(f"{war} enter")

    return scene


SCENES = (
    ("a tie, and a war that is won", _deals("1 3 5", "king 4 9 9", "war", "queen jack")),
    ("one surrenders, one war is tied", _deals("2 4", "ace ace ace", "surrender war", "5 5")),
    ("one player loses, and the power fails", _deals("1", "2, power-cut, ace")),
    ("two wars, one lost and one won", _deals("6 7", "8 8 8", "war war", "3 10 6")),
    ("the cover card is the first in the shoe", lambda table: table.press("cover-card")),
)


# -- the first round on the page -------------------------------------------------------------------------------


_POSITION = "One player has wagered at position 1. Key the position, then press ENTER."
_DEAL = "The cards are dealt: a 9 to position 1, a 9 to the dealer. Key them in this order, then enter."


def _war(bench: LiveBench) -> GuideStep:
    data = bench.table.machine.data
    if data.steps and not data.war_cards:
        return GuideStep(control="done")
    words = "Three cards are burned, then a queen to position 1 and a jack to the dealer. Key them, then enter."
    return keyed(words, ("queen", "jack", "enter"), len(data.war_cards))


GUIDE = GameGuide(
    {
        "closed": GuideStep(control="floor-key"),
        "shuffle": lambda bench: GuideStep(control="done" if bench.table.machine.data.inspect else "enter"),
        "positions": lambda bench: keyed(_POSITION, ("1", "enter"), len(bench.table.machine.data.seats)),
        "deal": lambda bench: keyed(_DEAL, ("9", "9", "enter"), len(bench.table.machine.data.cards)),
        "decision": GuideStep("A tie. The player may surrender half the wager, or go to war: press WAR.", "war"),
        "war-deal": _war,
        "settling": GuideStep(control="done"),
    },
    "Now try more: several positions, a tie with surrender, a wrong card and clear, the cover card, a correction.",
    inspection=("closed", "shuffle"),
)


BENCH = BenchGame(PRESSES, lambda dealer: WarHands(dealer).acts(), named_otherwise, SCENES, GUIDE)
