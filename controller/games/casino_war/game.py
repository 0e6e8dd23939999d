"""Casino War (58 Pa. Code ch. 651a): one card against the dealer's, and a war after a tie."""

from typing import Self

from pydantic import Field, model_validator

from config.schema import TableConfig
from controller.games.casino_war.play import RESULT_STATES, DealingShoe, panel
from controller.games.casino_war.round import WarRound
from controller.games.casino_war.rules import MOST_POSITIONS, RANKS, WAGERS, returns
from controller.games.casino_war.words import WORDS, result_words
from controller.games.shared.ages import AGES, AgingRules
from controller.machine.game import Game

MANUAL_DECKS = (6, 8)
"""Decks that are shuffled by hand (§ 651a.3(a))."""
SHUFFLER_DECKS = (12, 14, 16)
"""Decks in two equal batches with an automated shuffler (§ 651a.3(c))."""


CONTROLS = (
    *("no-more-bets", "done", "clear", "enter", "correct", "void", "burn", "cover-card", "war", "surrender"),
    *("0", "1", *RANKS),
)
"""Ranks are keys; so are the positions, which share the keys of the low ranks."""


class WarRules(AgingRules):
    """The rules of a table of Casino War."""

    positions: int = Field(ge=1, le=MOST_POSITIONS, description="betting positions at the table (§ 651a.2(a))")
    decks: int = Field(ge=6, le=16, description="decks of cards: 6 or 8; with a shuffler 12, 14 or 16 (§ 651a.3)")
    shuffler: bool = Field(False, description="an automated shuffler and two batches of cards (§ 651a.3(c))")

    @model_validator(mode="after")
    def _decks_fit(self) -> Self:
        allowed = SHUFFLER_DECKS if self.shuffler else MANUAL_DECKS
        if self.decks not in allowed:
            how = "with a shuffler" if self.shuffler else "without a shuffler"
            raise ValueError(f"{self.decks} decks {how}: use {', '.join(map(str, allowed))} (§ 651a.3)")
        return self

    @property
    def shoe(self) -> int:
        """Decks in the shoe: all of them, or one batch."""
        return self.decks // 2 if self.shuffler else self.decks


def _machine(config: TableConfig) -> WarRound:
    rules = WarRules.model_validate(config.rules)
    shoe = DealingShoe(rules.shoe, rules.positions, MANUAL_DECKS)
    return WarRound(GAME.payouts(config), shoe, rules.equipment("cards", "§ 651a.3(d)"), rules.shuffler)


GAME = Game(
    name="casino-war",
    title="Casino War",
    chapter="651a",
    wagers=WAGERS,
    panel=lambda rules: panel(WarRules.model_validate(rules).positions),
    columns=MOST_POSITIONS,
    controls=frozenset(CONTROLS),
    machine=_machine,
    returns=lambda payouts, rules: returns(payouts, WarRules.model_validate(rules).shoe),
    guide=(
        "Place an initial wager, and a tie wager beside it if you like, before the dealer calls no more bets.",
        "You and the dealer get a card each. The higher one wins; the ace is high, and suits do not count.",
        "On a tie the tie wager wins. You then surrender half of your initial wager, or go to war: the "
        "initial wager is collected and you place a war wager of the same amount, with a new tie wager if "
        "you like.",
        "Three cards are burned, and you and the dealer get another card each. A higher card wins the war "
        "wager, and so does a tie, which pays more. A lower card loses it.",
    ),
    rules=WarRules,
    rules_between_rounds=AGES,
    listed=result_words,
    words=WORDS,
    result_states=RESULT_STATES,
)
