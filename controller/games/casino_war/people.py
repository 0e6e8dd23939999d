"""What people can do at a table of Casino War, for the exploration of its machine."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Any

from config.schema import TableConfig
from controller.bench.people import UTC_NS, Exemption, People, Setup, Truth, as_explorable
from controller.events.effect import Effect, Result, Void
from controller.events.event import DealerLoggedOn, Event
from controller.games.casino_war.play import S, WarData, last_step
from controller.games.casino_war.rules import CARDS_OF_A_DECK, RANKS
from controller.statechart.registry import find_game

DECKS = 6
CARDS = DECKS * CARDS_OF_A_DECK
TABLES = ((1, 2), (1, 5), (2, 0), (2, 9), (3, 5), (2, 200))
"""Positions, and the cards that are left in the shoe when a round opens."""
LOW, HIGH = "9", "king"
"""The ranks that stand for all. By the count two cards of the lower one are left, fewer than the shoe has."""
_BETWEEN = frozenset(state.value for state in (S.CLOSED, S.SHUFFLE, S.BETS_OPEN))
_ON_RECORD = frozenset(state.value for state in (S.DECISION, S.WAR_DEAL, S.SETTLING, S.SETTLED, S.CORRECTING))
_VOID = ("floor-key", "7")


def setups(config: TableConfig) -> Iterator[Setup]:
    """Tables with few positions and an almost empty shoe, and one with a shoe that suffices."""
    game = find_game(config.game)
    for positions, left in TABLES:
        rules = {**config.rules, "positions": positions}
        machine = as_explorable(game.machine(config.model_copy(update={"rules": rules})))
        seen = tuple(DECKS * 4 - 2 if rank == LOW else 0 for rank in RANKS)
        data = replace(machine.data, fitted_utc_ns=UTC_NS, round=1, dealt=CARDS - left, seen=seen)
        name = f"{positions} position{'s' if positions > 1 else ''}, {left} cards left"
        yield Setup(name, machine, (S.BETS_OPEN, data), happenings, plain(data))


def plain(first: WarData) -> Callable[[str, WarData], WarData]:
    """Two ranks, one round and one fault stand for all; the shoe of a round that has not begun is the first one."""

    def alike(state: str, data: WarData) -> WarData:
        if state not in (S.MENU.value, S.CORRECTING.value):
            data = replace(data, back=S.CLOSED)
        cards, war_cards, corrects = map(_folded, (data.cards, data.war_cards, data.corrects))
        data = replace(data, round=1, cards=cards, war_cards=war_cards, corrects=corrects)
        data = replace(data, cause=data.cause and "a fault", seen=_seen(first, data))
        if not (data.seats or data.cards or data.corrects):
            data = replace(data, dealt=0 if data.recounted else first.dealt)
        return data

    return alike


def _seen(first: WarData, data: WarData) -> tuple[int, ...]:
    known = (0,) * len(RANKS) if data.recounted else first.seen
    return tuple(
        count + (*data.cards, *data.war_cards).count(rank) for rank, count in zip(RANKS, known, strict=True)
    )


def _folded(cards: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(LOW if card == LOW else HIGH for card in cards)


def happenings(state: str, data: WarData) -> Iterable[tuple[str, Event]]:
    """Another dealer comes to the table."""
    idle = state == S.BETS_OPEN.value and not data.dealer
    return (("a dealer logs on", DealerLoggedOn(0, UTC_NS, "8")),) if idle else ()


def given(state: str, data: WarData) -> str:
    """The cards on record."""
    on_record = data.outcomes and state in _ON_RECORD
    return "-".join(data.corrects or data.cards) if data.corrects or on_record else ""


def truths(state: str, data: WarData) -> Iterator[Truth]:
    """The card that was dealt, whatever the count says; a wrong card; a forgotten position; a dead round."""
    due = len(data.keyed) <= len(data.dealt_to)
    if state in (S.DEAL.value, S.WAR_DEAL.value) and due:
        for rank in (LOW, HIGH):
            yield Truth(f"the card is a {rank}", ((rank,), (*_VOID[:1], "8", rank)), _lies(rank))
    if state == S.POSITIONS.value:
        yield Truth(
            "wagers lie at position 1", (("1", "enter"), ("clear", "1", "enter"), ("enter",)), _lies_at_first
        )
    if state == S.DEAL.value and not data.cards and not data.corrects:
        yield Truth("a position was forgotten", (("no-more-bets", "1", "enter"),), _seated(1 not in data.seats))
    if state in (S.DECISION.value, S.SETTLING.value, S.SETTLED.value) and data.keyed:
        rank = HIGH if data.keyed[-1] == LOW else LOW
        corrected = ("correct", "0", "floor-key", rank, "enter")
        yield Truth("the dealer's card was another", (corrected, _VOID), _corrected(rank))
    if state not in _BETWEEN and state != S.MENU.value:
        yield Truth("the round is dead", (_VOID, ("clear", *_VOID)), _dead)


def _lies(rank: str) -> Callable[[Any, tuple[Effect, ...]], bool]:
    return lambda data, effects: rank in (*data.cards, *data.war_cards)


def _seated(seated: bool) -> Callable[[Any, tuple[Effect, ...]], bool]:
    return lambda data, effects: (1 in data.seats) is seated


def _lies_at_first(data: Any, effects: tuple[Effect, ...]) -> bool:
    return data.seats == (1,) and not data.last_position and not data.in_doubt


def _corrected(rank: str) -> Callable[[Any, tuple[Effect, ...]], bool]:
    def kept(data: Any, effects: tuple[Effect, ...]) -> bool:
        labels = [effect.label.partition(",")[0] for effect in effects if isinstance(effect, Result)]
        return any(label.endswith(f"-{rank}") for label in labels) or _dead(data, effects)

    return kept


def _dead(data: Any, effects: tuple[Effect, ...]) -> bool:
    return any(isinstance(effect, Void) and effect.reason == "dead-round" for effect in effects)


PEOPLE = People(
    setups=setups,
    between=lambda state, data: state in _BETWEEN,
    given=given,
    over=lambda state, data: state == S.SETTLED.value or last_step(data),
    corrects=lambda data: "-".join(data.corrects),
    invented=frozenset({*RANKS, "war", "surrender"} - set("123456789")),
    truths=truths,
    voids={f"press {key}": frozenset({"dead-round"}) for key in "2357"},
    acts={"key the card": "press king", "key every position": "press 1"},
    rulings=(
        Exemption(
            "prompt", "bets-open", "two reminders may be due at once: a new dealer's burn, and the cover card"
        ),
        Exemption("true-words", "shuffle: burn", "the first card of a new shoe is burned by hand, with no key"),
    ),
)
