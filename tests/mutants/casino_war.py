"""Mutants of the clauses on a round of Casino War: the deal, the outcome, irregularities."""

from mutants.mutant import Mutant

_PLAY = "controller/games/casino_war/play.py"
_ROUND = "controller/games/casino_war/round.py"
_RULES = "controller/games/casino_war/rules.py"
_SHOE = "controller/games/casino_war/shoe.py"
_STEPS = "controller/games/casino_war/steps.py"
_WORDS = "controller/games/casino_war/words.py"
_MENU = "controller/games/casino_war/floor.py"

_DEAL = (
    Mutant(
        "war-ace-low",
        _RULES,
        'RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king", "ace")',
        'RANKS = ("ace", "2", "3", "4", "5", "6", "7", "8", "9", "10", "jack", "queen", "king")',
        "the ace is lower than the two",
    ),
    Mutant(
        "war-pictures-are-equal",
        _RULES,
        "    if mine == theirs:",
        "    if mine == theirs or (9 <= mine <= 11 and 9 <= theirs <= 11):",
        "jack, queen and king tie",
    ),
    Mutant(
        "war-new-dealer-burns-none",
        _PLAY,
        "return bool(self.dealer) and self.dealer != self.burned_by",
        "return bool(self.dealer) and not self.burned_by",
        "only the first dealer is asked to burn a card",
    ),
)
_OUTCOME = (
    Mutant(
        "war-tie-wager-wins-without-a-tie",
        _RULES,
        'return payouts.odds("tie-1") if outcome is HandOutcome.TIED else None',
        'return payouts.odds("tie-1") if outcome is not HandOutcome.LOST else None',
        "a tie wager is paid with the higher card",
    ),
    Mutant(
        "war-lower-card-wins",
        _RULES,
        "return HandOutcome.WON if mine > theirs else HandOutcome.LOST",
        "return HandOutcome.LOST if mine > theirs else HandOutcome.WON",
        "the lower card wins",
    ),
    Mutant(
        "war-tied-initial-wager-is-paid",
        _RULES,
        'return payouts.odds(f"{kind}-1") if outcome is HandOutcome.WON else None',
        'return payouts.odds(f"{kind}-1") if outcome is not HandOutcome.LOST else None',
        "an initial wager with a tie hand is paid",
    ),
    Mutant("war-two-cards-burned", _RULES, "BURNED = 3", "BURNED = 2", "two cards are burned before the war deal"),
    Mutant(
        "war-war-cards-from-the-right",
        _STEPS,
        "data = replace(data, war=(*data.war, position))",
        "data = replace(data, war=(position, *data.war))",
        "war cards are dealt from the dealer's right",
    ),
    Mutant(
        "war-tied-war-is-lost",
        _RULES,
        'return payouts.odds("war-1", 2)',
        "return None",
        "a tied war does not win",
    ),
    Mutant(
        "war-tied-war-pays-2-to-1",
        _RULES,
        'return payouts.odds("war-1", 2)',
        'return payouts.odds("war-1")',
        "a tied war pays 2 to 1",
    ),
    Mutant(
        "war-tie-pays-9-to-1",
        _RULES,
        '_wager("tie", position, 10)',
        '_wager("tie", position, 9)',
        "a tie wager pays 9 to 1",
    ),
    Mutant(
        "war-odds-of-the-house",
        _RULES,
        '"§ 651a.10", fixed=True)',
        '"§ 651a.10")',
        "a file may pay other odds",
    ),
)
_IRREGULAR = (
    Mutant(
        "war-no-card-loses",
        _STEPS,
        "left = tuple(seat for seat in data.seats if seat != position)",
        "left = tuple(seat for seat in data.seats if seat != data.seats[-1])",
        "a position without a card stays in the round, and another's wagers go back",
    ),
    Mutant(
        "war-no-card-leaves-the-table",
        _STEPS,
        "return Step(replace(data, seats=left, no_card=",
        "return Step(replace(data, seats=left, kept=left, no_card=",
        "a player without a card is not in the next round",
    ),
)
MUTANTS: tuple[Mutant, ...] = (*_DEAL, *_OUTCOME, *_IRREGULAR)
