"""States and data of a round of Casino War, and what follows from them: outcomes, lamps, how far it is settled."""

from dataclasses import dataclass
from enum import Enum

from controller.events.effect import Win
from controller.events.event import Event, Press
from controller.events.words import NOTHING, Text, text
from controller.games.casino_war import rules
from controller.games.casino_war.rules import RANKS, HandOutcome, compare


class WarState(Enum):
    CLOSED = "closed"
    SHUFFLE = "shuffle"
    BETS_OPEN = "bets-open"
    POSITIONS = "positions"
    DEAL = "deal"
    DECISION = "decision"
    WAR_DEAL = "war-deal"
    SETTLING = "settling"
    SETTLED = "settled"


S = WarState
UNSETTLED = (S.POSITIONS, S.DEAL, S.DECISION, S.WAR_DEAL, S.SETTLING)
"""From the call of no more bets until all wagers are settled."""
IN_ROUND = (*UNSETTLED, S.SETTLED)
DEALS = (S.DEAL, S.WAR_DEAL)
RESULT = (S.DECISION, S.SETTLING, S.SETTLED)
RESULT_STATES = frozenset((*(state.value for state in RESULT), "locked"))
"""A result stays while the table is locked."""
_WAR_STEPS = ("collect-cards", "war-wagers", "initial-wagers", "tie-wagers", "burn")
"""Before the first war card (§ 651a.9(d) to (f))."""


@dataclass(frozen=True, slots=True)
class WarData:
    """The table's data and the round's. Cards are ranks in the order of the positions, the dealer's last."""

    round: int = 0
    seats: tuple[int, ...] = ()  # the positions with an initial wager, from the dealer's left
    cards: tuple[str, ...] = ()
    war: tuple[int, ...] = ()  # the positions that go to war
    surrendered: tuple[int, ...] = ()
    war_cards: tuple[str, ...] = ()
    results: tuple[str, ...] = ()  # the labels of this round's results: of the original deal, of the war deal
    steps: tuple[str, ...] = ()  # what is left to do, as codes: of a settlement, or before the first war card
    wins: tuple[Win, ...] = ()
    corrects: tuple[str, ...] = ()  # the cards of the deal that is being corrected
    # The cards of this deal that were keyed before one of them was taken back last, or before that one if more.
    taken_back: tuple[str, ...] = ()
    alone: int = 0  # the one card that is being corrected, by its number in the deal; 0 if all are keyed again
    kept: tuple[int, ...] = ()  # the positions of the last round
    last_position: int = 0  # the position that was keyed last, while positions are keyed
    # A card was keyed among the positions: ENTER was forgotten, and a position may have been a card.
    in_doubt: bool = False
    no_card: int = 0  # the position that was keyed last as dealt no card, until the next card
    dealt: int = 0  # cards that have left the shoe since the shuffle
    seen: tuple[int, ...] = (0,) * len(RANKS)  # how many of each rank have been seen since the shuffle
    cover: bool = False  # the cover card has come out, or the count is wrong: shuffle after this round
    recounted: bool = False  # the floorperson found the count wrong: it is right again after the shuffle
    # To whom the next cut is offered first: ``first-player``, ``rightmost`` or a position; empty if not known.
    cut_offer: str = ""
    inspect: bool = False  # new cards are not recorded as inspected yet
    batch: int = 0  # the batch of cards in the shoe, 0 or 1, with an automated shuffler (§ 651a.3(c))
    shuffler: bool = False  # the automated shuffler is in use
    dealer: str = ""  # the number of the dealer who logged on last
    burned_by: str = ""  # that of the dealer at the last card that was burned
    # The round that the floorperson made void last, until the next call: the void can be taken back.
    voided: "WarData | None" = None

    @property
    def outcomes(self) -> dict[int, HandOutcome]:
        """The outcome of each seat in the original deal, once it is entered."""
        return _compared(self.seats, self.cards) if self.results else {}

    @property
    def war_outcomes(self) -> dict[int, HandOutcome]:
        return _compared(self.war, self.war_cards) if len(self.results) > 1 else {}

    @property
    def undecided(self) -> tuple[int, ...]:
        """The tied positions that have not chosen yet."""
        chosen = (*self.war, *self.surrendered)
        ties = (seat for seat, outcome in self.outcomes.items() if outcome is HandOutcome.TIED)
        return tuple(seat for seat in ties if seat not in chosen)

    @property
    def at_war(self) -> bool:
        """The war deal has begun: all tied positions have chosen, and one of them goes to war."""
        return bool(self.war) and not self.undecided

    @property
    def dealt_to(self) -> tuple[int, ...]:
        """The positions of the present deal."""
        return self.war if self.at_war else self.seats

    @property
    def keyed(self) -> tuple[str, ...]:
        """The cards of the present deal that are keyed."""
        return self.war_cards if self.at_war else self.cards

    @property
    def complete(self) -> bool:
        return len(self.keyed) > len(self.dealt_to) > 0

    @property
    def due(self) -> int:
        """The position whose card is keyed next; 0 for the dealer, and for none."""
        place = self.alone - 1 if self.alone else len(self.keyed)
        return (*self.dealt_to, 0, 0)[place]

    @property
    def seated(self) -> bool:
        """The positions are as they were entered: none of them is being keyed anew."""
        return bool(self.seats) and not (self.last_position or self.in_doubt)

    @property
    def wagers_closed(self) -> bool:
        """A card is keyed or on record: wagers do not reopen."""
        return bool(self.keyed or self.corrects)

    @property
    def shown(self) -> tuple[str, ...]:
        """The cards of the present deal that people have seen: as keyed, as taken back, or as on record."""
        return max(self.keyed, self.taken_back, self.corrects, key=len)

    @property
    def chosen(self) -> bool:
        """A tied position has chosen, and no war card is keyed."""
        return bool(self.war or self.surrendered) and not self.war_cards

    @property
    def war_steps(self) -> tuple[str, ...]:
        """Everything that is done before the first war card."""
        return ("halves", *_WAR_STEPS) if self.surrendered else _WAR_STEPS

    @property
    def step_done(self) -> bool:
        """A step before the first war card is keyed as done, and no card."""
        return self.at_war and not (self.war_cards or self.corrects) and self.steps != self.war_steps

    @property
    def last_step(self) -> bool:
        """Winners are paid, and the round is over then. Without one, ``clear`` ends nothing that was just lit."""
        return self.steps == ("pay",) and not self.undecided

    @property
    def burn_due(self) -> bool:
        """A new dealer has come, and no card was burned since (§ 651a.8(b))."""
        return bool(self.dealer) and self.dealer != self.burned_by

    @property
    def settled(self) -> str:
        """How far the last result has been settled, as a code; empty if it only was lit."""
        if self.steps:
            return {"collect": "", "pay": "losers-collected"}.get(self.steps[0], "wagers-settled")
        return "halves-returned" if self.chosen and not (self.at_war or self.undecided) else "wagers-settled"


@dataclass(frozen=True)
class DealingShoe:
    """A dealing shoe: its decks, the positions of its table, and how many decks may be shuffled by hand."""

    decks: int
    positions: int
    by_hand: tuple[int, ...]

    @property
    def cards(self) -> int:
        return self.decks * rules.CARDS_OF_A_DECK

    def may_deal(self, data: WarData, event: Event) -> bool:
        """A card is due, and the shoe can hold one of this rank."""
        return isinstance(event, Press) and not self.refused_card(event.control, data)

    def may_burn(self, data: WarData, event: Event) -> bool:
        return data.dealt < self.cards

    def may_shuffle(self, data: WarData, event: Event | None = None) -> bool:
        """With the shuffler, or by hand if so many decks may be (§ 651a.3(a))."""
        return data.shuffler or self.decks in self.by_hand

    def shuffle_due(self, data: WarData, event: Event | None = None) -> bool:
        """No further round with a war at every position is sure to fit."""
        return data.cover or data.dealt > self.cards - 2 * (self.positions + 1) - rules.BURNED

    def refused_card(self, rank: str, data: WarData) -> Text:
        """Why a rank is refused while cards are dealt; nothing if the count does not exclude it."""
        if data.complete:
            return text("all-cards-keyed")
        if data.dealt >= self.cards:
            return text("shoe-empty")
        if data.seen[RANKS.index(rank)] >= rules.SUITS * self.decks:
            return text("rank-dealt", rank=rank, cards=rules.SUITS * self.decks)
        return NOTHING

    def refused_position(self, key: str, data: WarData) -> Text:
        """Why the key of a card is refused while positions are keyed."""
        if key.isdigit() and self.positions < int(key) <= rules.MOST_POSITIONS:
            return text("no-position", positions=self.positions)
        return text("from-the-left", last=data.last_position) if data.last_position else text("positions-first")

    def overdue(self, data: WarData) -> dict[str, str | int]:
        """The count, once the cover card must have come out: a quarter is behind it (§ 651a.5(e)); empty before."""
        if data.cover or data.dealt <= self.cards * 3 // 4:
            return {}
        return {"left": max(0, self.cards - data.dealt), "of": self.cards}


def _compared(seats: tuple[int, ...], cards: tuple[str, ...]) -> dict[int, HandOutcome]:
    return {seat: compare(card, cards[-1]) for seat, card in zip(seats, cards, strict=False)}


def listed(seats: tuple[int, ...]) -> str:
    return ",".join(map(str, seats))


def panel(positions: int) -> tuple[str, ...]:
    """Every lamp of so many positions: ``initial-3-won``."""
    kinds = {"initial": ("won", "lost", "tied"), "tie": ("won", "lost"), "war": ("won", "lost", "tied")}
    seats = range(1, positions + 1)
    return tuple(f"{kind}-{seat}-{how}" for kind, hows in kinds.items() for seat in seats for how in hows)


def lamps(data: WarData) -> tuple[str, ...]:
    """Every lit lamp: the outcome of each wager that the last result decides."""
    kind, deal = ("war", data.war_outcomes) if data.war_outcomes else ("initial", data.outcomes)
    ties = {seat: "won" if outcome is HandOutcome.TIED else "lost" for seat, outcome in deal.items()}
    lit = ((f"{kind}-{seat}-{outcome.value}", f"tie-{seat}-{ties[seat]}") for seat, outcome in deal.items())
    return tuple(lamp for pair in lit for lamp in pair)


def instruction(state: WarState, data: WarData, shoe: DealingShoe) -> Text:
    code, found = f"war-{state.value}", dict[str, str | int](clear=_clear(state, data))
    if state is S.SHUFFLE:
        code = "war-inspect" if data.inspect else code if shoe.may_shuffle(data) else "war-no-hand-shuffle"
        batch = 2 - data.batch if data.shuffler else 0
        found = {"batch": batch, "cut": data.cut_offer, "decks": shoe.decks}
    elif state is S.BETS_OPEN:
        code, found = f"{code}-again" if data.kept else code, {"kept": listed(data.kept), **shoe.overdue(data)}
        found |= {"burn": data.burn_due, "empty": data.burn_due and data.dealt >= shoe.cards}
    elif state is S.SETTLED:
        found = shoe.overdue(data)
    elif state is S.POSITIONS:
        code = "war-positions-in-doubt" if data.in_doubt else code
        found["seats"] = listed(data.seats)
    elif state is S.DECISION:
        found["position"] = data.undecided[0]
    elif data.steps and not (state is S.WAR_DEAL and data.keyed):
        wins = ",".join(f"{win.area} {win.pays}" for win in data.wins)
        code, found["wins"], found["last"] = f"war-{data.steps[0]}", wins, data.last_step
        found |= {"war": listed(data.war), "surrendered": listed(data.surrendered)}
        found["wager"] = "war" if data.at_war else "initial"
    elif state in DEALS:
        return _dealing(found, data, shoe)
    return Text(code, found)


def _dealing(found: dict[str, str | int], data: WarData, shoe: DealingShoe) -> Text:
    code = "war-enter-cards" if data.complete else "war-card-alone" if data.alone else "war-deal"
    found |= {"seats": listed(data.dealt_to), "cards": ",".join(data.keyed), "correction": bool(data.corrects)}
    found |= {"seat": data.due, "position": data.no_card}
    found["burn"] = data.burn_due and not (data.at_war or data.keyed)
    found["empty"] = data.dealt >= shoe.cards and not data.complete
    return Text(code, found)


def _clear(state: WarState, data: WarData) -> str:
    """What ``clear`` does, as a code; empty for nothing that people need to know."""
    if state is S.POSITIONS:
        return "again" if data.seats or data.last_position else "" if data.wagers_closed else "reopen"
    if state in DEALS:
        keyed = "all-cards" if data.alone else "no-card" if data.no_card else "card" if data.keyed else ""
        return keyed or ("positions" if state is S.DEAL else "step" if data.step_done else "choice")
    return "choice" if data.chosen else ""
