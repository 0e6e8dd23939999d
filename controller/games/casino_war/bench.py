"""Casino War on the bench: what dealer and players do in each state, and the demonstration."""

from controller.bench.dealer import Dealer
from controller.bench.oracle import named_otherwise
from controller.bench.registry import Acts, BenchGame
from controller.bench.transcript import ROUNDS, Transcript
from controller.games.casino_war.game import WarRules
from controller.games.casino_war.rules import BURNED, RANKS, SUITS

_PLANNED = (
    ("1 3 5", "king 4 9 9", "war", "queen jack", "a tie, and a war that is won"),
    ("2 4", "ace ace ace", "surrender war", "5 5", "one surrenders, one war is tied"),
    ("1", "2 ace", "", "", "one player loses"),
    ("6 7", "8 8 8", "war war", "3 10 6", "two wars, one lost and one won"),
)
"""Positions, their cards and the dealer's, the choices of tied positions, the cards of the war deal, and words."""


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
            "closed": self._dealer.open,
            "locked": self._dealer.unlock,
            "equipment-due": self._rig.floor,
            "shuffle": self._shuffle,
            "bets-open": lambda: press("no-more-bets"),
            "positions": self._seat,
            **dict.fromkeys(("deal", "war-deal"), self._deal),
            "decision": lambda: press("war" if self._dealer.rng.random() < 0.7 else "surrender"),
            "settling": self._settle,
            "settled": lambda: press("clear"),
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


def play(stage: Transcript) -> None:
    """The opening and ten rounds."""
    stage.heading("The table opens with new cards")
    stage.floor(why="new cards")
    positions = WarRules.model_validate(stage.rig.config.rules).positions
    planned = [one for one in _PLANNED if int(one[0][-1]) <= positions]
    for number in range(ROUNDS):
        if stage.rig.state.value == "shuffle":
            stage.press("enter", why="shuffled, cut, in the shoe, one burned")
        seats, cards, choices, war, words = planned[number % len(planned)]
        stage.round(words)
        if number == ROUNDS - 2:
            stage.press("cover-card", why="it is the first card in the shoe")
        stage.press("no-more-bets")
        _seat(stage, {*map(int, seats.split())})
        power_cut = number == len(_PLANNED)
        stage.do(f"{cards.replace(' ', ', power-cut, ', 1) if power_cut else cards} enter")
        _settle(stage)
        for choice in choices.split():
            stage.press(choice)
        if war:
            while stage.rig.machine.data.steps:
                stage.press("done")
            stage.do(f"{war} enter")
        _settle(stage)
        stage.press("clear")


def _seat(stage: Transcript, seats: set[int]) -> None:
    """The positions of the last round stay, or change."""
    before = {*stage.rig.machine.data.seats}
    if before == seats:
        return
    if before:
        stage.press("clear", why="wagers are at other positions")
    stage.press(*map(str, sorted(seats ^ before)), "enter", why="the positions with a wager")


def _settle(stage: Transcript) -> None:
    """The clear that ends the round takes the place of the last done."""
    while stage.rig.state.value == "settling" and not stage.rig.machine.data.last_step:
        stage.press("done")


BENCH = BenchGame(lambda dealer: WarHands(dealer).acts(), play, named_otherwise)
