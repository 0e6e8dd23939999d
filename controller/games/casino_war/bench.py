"""Casino War on the bench: the next action in each state, and the demonstration."""

from collections.abc import Callable

from controller.bench.dealer import Dealer
from controller.bench.demo import Demonstration
from controller.bench.oracle import named_otherwise
from controller.bench.people import Act, Acts, BenchGame
from controller.games.casino_war.game import WarRules
from controller.games.casino_war.rules import BURNED, RANKS, SUITS


class _Cards:
    """Players, shoe and dealer. In a newcomer's round, one player ties with the dealer and wins the war."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._rules = WarRules.model_validate(dealer.rig.config.rules)
        self._shoe, self._truth = list[str](), list[str]()
        self._dealt: tuple[int, bool, tuple[int, ...]] = (0, False, ())
        """The deal for which cards were drawn: round, whether it is the war deal, and positions."""
        self._seated = 0
        """The last round whose players were looked at."""

    def acts(self) -> Acts:
        happens = self._dealer.happens
        return {
            "shuffle": self._shuffle,
            "positions": self._seat,
            "bets-open": Act(press="no-more-bets"),
            **dict.fromkeys(("deal", "war-deal"), self._deal),
            "decision": lambda: (
                Act("A tie. The player may surrender half the wager, or go to war: press WAR.", "war")
                if happens(0.7)
                else Act(press="surrender")
            ),
            # A dealer may press clear once the last step is done.
            "settling": lambda: Act(press="clear" if self._dealer.data.last_step and happens(0.7) else "done"),
            "settled": Act(press="clear"),
        }

    def _shuffle(self) -> Act:
        self._shoe = list(RANKS) * SUITS * self._rules.shoe
        self._dealer.rng.shuffle(self._shoe)
        self._shoe.pop()
        return Act(
            "The cards were inspected before they came to the table. Shuffle them. Then press ENTER.", "enter"
        )

    def _seat(self) -> Act:
        data, rng, most = self._dealer.data, self._dealer.rng, self._rules.positions
        self._seated = data.round
        chosen = {1} if self._dealer.newcomer else set(rng.sample(range(1, most + 1), rng.randint(1, most)))
        keys = sorted(chosen ^ {*data.seats})
        if data.in_doubt or (keys and keys[0] <= data.last_position):
            return Act(press="clear")  # A stuck key has entered a position.
        words = "One player has wagered at position 1. Key the position, then press ENTER."
        return Act(words, " ".join((*map(str, keys), "enter")))

    def _players_changed(self) -> bool:
        """Some come and go between two rounds, so that the positions of the last one are not those of this one."""
        data = self._dealer.data
        begins = self._seated != data.round and not (data.at_war or data.wagers_closed)
        self._seated = data.round if begins else self._seated
        return begins and self._dealer.happens(0.3)

    def _deal(self) -> Act:
        """Key the missing cards; take back wrong ones."""
        data = self._dealer.data
        if self._players_changed():
            return Act(press="clear")
        if data.steps and not data.keyed:
            return Act(press="done")
        if self._dealer.newcomer:
            if data.at_war:
                words = "Three cards are burned. Position 1 gets a queen, the dealer a jack. Key them. Press ENTER."
                return self._dealer.key_in(("queen", "jack"), data.keyed, words)
            words = "The cards are dealt: a 9 to position 1, a 9 to the dealer. Key them in order. Press ENTER."
            return self._dealer.key_in(("9", "9"), data.keyed, words)
        deal = data.round, data.at_war, data.dealt_to
        if self._dealt != deal:
            if data.keyed:
                return Act(press="clear")  # A stuck key has entered a card before the dealer.
            self._dealt = deal
            self._draw(data.at_war, len(data.dealt_to))
            if len(self._shoe) < len(RANKS) * SUITS:
                return Act(press="cover-card")
        return self._dealer.key_in(self._truth, data.keyed)

    def _draw(self, at_war: bool, seats: int) -> None:
        """Take the cards of a deal out of the shoe."""
        left = self._shoe[BURNED * at_war :]  # If too few are left, a set of all ranks replaces them.
        self._shoe = left if len(left) > seats else list(RANKS)
        self._truth = [self._shoe.pop() for _ in range(seats + 1)]
        self._dealer.show("-".join(self._truth))


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


BENCH = BenchGame(
    lambda dealer: _Cards(dealer).acts(),
    named_otherwise,
    SCENES,
    then="Now try more: several positions, a tie with surrender, a wrong card and clear, the cover card, "
    "a correction.",
)
