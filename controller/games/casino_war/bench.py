"""Casino War on the bench: what dealer and players do in each state, and the demonstration."""

from controller.bench.dealer import Dealer
from controller.bench.oracle import named_otherwise
from controller.bench.registry import Acts, BenchGame
from controller.bench.transcript import ROUNDS, Transcript
from controller.games.casino_war.game import WarRules
from controller.games.casino_war.play import last_step
from controller.games.casino_war.rules import RANKS, SUITS

PlannedRound = tuple[tuple[int, ...], tuple[str, ...], tuple[str, ...], tuple[str, ...]]
"""Positions, their cards and the dealer's, the choices of tied positions, and the cards of the war deal."""
_PLANNED: tuple[tuple[PlannedRound, str], ...] = (
    (((1, 3, 5), ("king", "4", "9", "9"), ("war",), ("queen", "jack")), "a tie, and a war that is won"),
    (((2, 4), ("ace", "ace", "ace"), ("surrender", "war"), ("5", "5")), "one surrenders, one war is tied"),
    (((1,), ("2", "ace"), (), ()), "one player loses"),
    (((6, 7), ("8", "8", "8"), ("war", "war"), ("3", "10", "6")), "two wars, one lost and one won"),
)


class WarHands:
    """Dealer, players and floorperson, with a shoe of real cards."""

    def __init__(self, dealer: Dealer) -> None:
        self._dealer = dealer
        self._rig = dealer.rig
        self._rules = WarRules.model_validate(self._rig.config.rules)
        self._shoe: list[str] = []
        self._truth: list[str] = []
        self._dealt: tuple[int, bool, tuple[int, ...]] = (0, False, ())
        """The deal for which cards were drawn: round, whether it is the war deal, and positions."""
        self._seated = 0
        """The last round whose players were looked at."""

    def acts(self) -> Acts:
        """What to do in each state."""
        press = self._rig.press
        return {
            "closed": self._dealer.open,
            "floor-menu": lambda: press("1" if self._rig.machine.data.back.value == "closed" else "2"),
            "shuffle": self._shuffle,
            "bets-open": lambda: press("no-more-bets"),
            "positions": self._seat,
            "deal": lambda: self._deal(self._rig.machine.data.seats, self._rig.machine.data.cards),
            "war-deal": lambda: self._deal(self._rig.machine.data.war, self._rig.machine.data.war_cards),
            "decision": lambda: press("war" if self._dealer.rng.random() < 0.7 else "surrender"),
            "settling": self._settle,
            "settled": lambda: press("clear"),
            "correcting": lambda: press("floor-key"),
        }

    def _shuffle(self) -> None:
        if self._rig.machine.data.retired:
            self._rig.press("floor-key")
            return
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
        if data.at_war or data.cards or data.corrects or self._seated == data.round:
            return False
        self._seated = data.round
        return self._dealer.rng.random() < 0.3

    def _deal(self, seats: tuple[int, ...], cards: tuple[str, ...]) -> None:
        """Key the missing cards; take back wrong ones."""
        data = self._rig.machine.data
        if self._players_changed():
            self._rig.press("clear")
            return
        if data.steps and not cards:
            self._rig.press("done")
            return
        if self._dealt != (data.round, data.at_war, seats):
            if cards:  # A stuck key has entered a card before the dealer.
                self._rig.press("clear")
                return
            self._dealt = (data.round, data.at_war, seats)
            self._dealer.witness.tally.spins += 1
            burned = 3 if self._rig.state.value == "war-deal" else 0
            left = self._shoe[burned:]  # If too few are left, a set of all ranks replaces them.
            self._shoe = left if len(left) > len(seats) else list(RANKS)
            drawn = [self._shoe.pop() for _ in range(len(seats) + 1)]
            self._truth = [*self._dealer.ahead[: len(drawn)], *drawn[len(self._dealer.ahead) :]]
            self._dealer.ahead.clear()
            self._dealer.witness.truth = "-".join(self._truth)
            if len(self._shoe) < len(RANKS) * SUITS:
                self._rig.press("cover-card")
        if list(cards) == self._truth[: len(cards)]:
            self._rig.press(*self._truth[len(cards) :])
        # A stuck key may have added a card, or left one out.
        self._rig.press("enter" if self._keyed() == self._truth else "clear")

    def _settle(self) -> None:
        """A dealer may press clear once the last step is done."""
        ends = last_step(self._rig.machine.data) and self._dealer.rng.random() < 0.7
        self._rig.press("clear" if ends else "done")

    def _keyed(self) -> list[str]:
        """The cards of the present deal, as the screen shows them."""
        data = self._rig.machine.data
        return list(data.war_cards if data.at_war else data.cards)


def play(stage: Transcript) -> None:
    """The opening and ten rounds."""
    stage.heading("The table opens with new cards")
    stage.key("opens the menu")
    stage.press("1", why="new cards")
    stage.press("enter", why="shuffled, cut, in the shoe, one burned")
    positions = WarRules.model_validate(stage.rig.config.rules).positions
    for number in range(ROUNDS):
        planned, words = _planned(number, positions)
        stage.round(words)
        if number == ROUNDS - 2:
            stage.press("cover-card", why="it is the first card in the shoe")
        _round(stage, planned or _drawn(stage, positions), power_cut=number == len(_PLANNED))
        stage.press("clear")
        if stage.rig.state.value == "shuffle":
            stage.press("enter", why="shuffled, cut, in the shoe, one burned")


def _planned(number: int, positions: int) -> tuple[PlannedRound | None, str]:
    """A planned round, moved to the first positions if the table has few; None if it has too few."""
    if number >= len(_PLANNED):
        return None, ""
    (seats, cards, choices, war), words = _PLANNED[number]
    if max(seats) > positions:
        seats = tuple(range(1, len(seats) + 1))
    return ((seats, cards, choices, war), words) if max(seats) <= positions else (None, "")


def _drawn(stage: Transcript, positions: int) -> PlannedRound:
    """The players stay; the cards are drawn."""
    seats = stage.rig.machine.data.kept or tuple(range(1, min(3, positions) + 1))
    cards = tuple(stage.random.choices(RANKS, k=len(seats) + 1))
    ties = sum(card == cards[-1] for card in cards[:-1])
    return seats, cards, ("war",) * ties, tuple(stage.random.choices(RANKS, k=ties + 1))


def _round(stage: Transcript, planned: PlannedRound, power_cut: bool) -> None:
    seats, cards, choices, war = planned
    stage.press("no-more-bets")
    _seat(stage, seats)
    stage.press(*cards[:1])
    if power_cut:
        stage.power_cut()
    stage.press(*cards[1:], "enter")
    _settle(stage)
    for choice in choices:
        stage.press(choice)
    if "war" in choices:
        while stage.rig.machine.data.steps:
            stage.press("done")
        stage.press(*war, "enter")
    _settle(stage)


def _seat(stage: Transcript, seats: tuple[int, ...]) -> None:
    """The positions of the last round stay, or change."""
    before = stage.rig.machine.data.seats
    if before == seats:
        return
    if before:
        stage.press("clear", why="wagers lie at other positions")
    changed = sorted({*before} ^ {*seats})
    stage.press(*map(str, changed), "enter", why="the positions with a wager")


def _settle(stage: Transcript) -> None:
    """The clear that ends the round takes the place of the last done."""
    while stage.rig.state.value == "settling" and not last_step(stage.rig.machine.data):
        stage.press("done")


BENCH = BenchGame(lambda dealer: WarHands(dealer).acts(), play, named_otherwise)
