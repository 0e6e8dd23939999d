"""Mutants of the clauses on table and cards of Casino War (§§ 651a.2 to 651a.5, 651a.9(d))."""

from mutants.mutant import Mutant

_GAME = "controller/games/casino_war/game.py"
_PLAY = "controller/games/casino_war/play.py"
_ROUND = "controller/games/casino_war/round.py"
_RULES = "controller/games/casino_war/rules.py"
_SHOE = "controller/games/casino_war/shoe.py"
_WORDS = "controller/games/casino_war/words.py"
_MENU = "controller/games/casino_war/floor.py"
_AGEING = "controller/games/shared/ageing.py"

_TABLE = (
    Mutant(
        "war-compared-with-the-first-card",
        _PLAY,
        "seat: compare(card, self.war_cards[-1]) for",
        "seat: compare(card, self.cards[-1]) for",
        "a war card is compared with the dealer's card of the original deal",
    ),
    Mutant("war-eight-positions", _GAME, "le=MOST_POSITIONS,", "le=8,", "a table with eight positions is accepted"),
    Mutant(
        "war-key-of-no-position",
        _ROUND,
        "for position in range(1, self._shoe.positions + 1):",
        "for position in range(1, 8):",
        "a wager is taken at a position that the table does not have",
    ),
    Mutant(
        "war-tie-wagers-without-lamp",
        "controller/games/casino_war/lamps.py",
        "for kind, outcomes in _LAMPS.items()",
        'for kind, outcomes in _LAMPS.items() if kind != "tie"',
        "the areas of tie wagers have no lamps",
    ),
    Mutant(
        "war-lamp-may-be-missing",
        "controller/configuration/rules.py",
        "if lamp not in given:",
        "if lamp in game.areas and lamp not in given:",
        "a file without the lamps of a position is accepted",
    ),
    Mutant("war-seven-decks", _GAME, "MANUAL_DECKS = (6, 8)", "MANUAL_DECKS = (6, 7, 8)", "seven decks are played"),
    Mutant(
        "war-seven-decks-by-hand",
        _SHOE,
        "return data.shuffler or self.decks in self.by_hand",
        "return True",
        "seven decks are shuffled by hand once the shuffler is out of order",
    ),
    Mutant(
        "war-cover-cards-counted",
        _RULES,
        "CARDS_OF_A_DECK = SUITS * len(RANKS)",
        "CARDS_OF_A_DECK = SUITS * len(RANKS) + 2",
        "the cover cards are counted as cards of the shoe",
    ),
    Mutant(
        "war-one-ace-too-many",
        _RULES,
        "return seen[RANKS.index(rank)] < SUITS * decks",
        "return seen[RANKS.index(rank)] <= SUITS * decks",
        "a card is accepted that the decks cannot hold",
    ),
    Mutant(
        "war-unequal-batches",
        _GAME,
        "SHUFFLER_DECKS = (12, 14, 16)",
        "SHUFFLER_DECKS = (12, 13, 14, 15, 16)",
        "decks are accepted that two equal batches cannot hold",
    ),
    Mutant(
        "war-both-batches-in-the-shoe",
        _GAME,
        "return self.decks // 2 if self.shuffler else self.decks",
        "return self.decks",
        "the cards of both batches are counted as those of one shoe",
    ),
    Mutant(
        "war-same-batch-again",
        _SHOE,
        "batch = 1 - data.batch if data.shuffler else data.batch",
        "batch = data.batch",
        "the batches do not take turns",
    ),
    Mutant(
        "war-prompt-names-the-batch-in-play",
        _WORDS,
        "take batch {2 - data.batch} from",
        "take batch {data.batch + 1} from",
        "the dealer is asked for the batch that was dealt last",
    ),
    Mutant(
        "war-old-cards-are-shuffled",
        _ROUND,
        "fit = both(fresh, self._shoe.may_shuffle)",
        "fit = self._shoe.may_shuffle",
        "a round opens with cards older than 24 hours",
    ),
    Mutant(
        "cards-do-not-age-without-power",
        _AGEING,
        "[StartTimer(self.retirement, max(0, self.retire_ns - age_ns))]",
        "[StartTimer(self.retirement, self.retire_ns)]",
        "a restart begins the 24 hours anew",
    ),
    Mutant(
        "cards-of-two-days",
        _AGEING,
        "Decimal(24), ge=1, le=24, description",
        "Decimal(24), ge=1, le=48, description",
        "a file may let cards be used for two days",
    ),
)
_SHUFFLE = (
    Mutant(
        "war-new-cards-uninspected",
        _SHOE,
        "cut_offer=_FIRST, inspect=True)",
        "cut_offer=_FIRST)",
        "new cards are not asked to be inspected",
    ),
    Mutant(
        "war-inspection-always-on-record",
        _SHOE,
        'uninspected = (Note("no inspection of these cards was keyed"),) if data.inspect else ()',
        'uninspected = (Note("the dealer inspected the cards and spread them face up"),) if data.inspect else ()',
        "an inspection that nobody keyed is on record",
    ),
    Mutant(
        "war-batches-spread-together",
        _WORDS,
        '", each batch by itself" if data.shuffler else ""',
        '""',
        "nobody is asked to spread the two batches apart",
    ),
    Mutant(
        "war-opens-without-a-shuffle",
        _MENU,
        '"press 1", S.SHUFFLE, renewed',
        '"press 1", S.BETS_OPEN, renewed',
        "the first round opens before the cards are shuffled",
    ),
    Mutant(
        "war-cover-card-changes-nothing",
        _SHOE,
        "return data.cover or data.retired or data.dealt > self.last",
        "return data.retired or data.dealt > self.last",
        "the next round is dealt past the cover card",
    ),
    Mutant(
        "war-quick-end-skips-the-shuffle",
        _ROUND,
        "both(play.last_step, self._shoe.shuffle_due)",
        "both(play.last_step, stops)",
        "a round that ends with its last step is followed by another, past the cover card",
    ),
    Mutant(
        "war-cover-card-ends-the-deal",
        _ROUND,
        '"press cover-card", None, cover_card_in_deal if dealing else cover_card',
        '"press cover-card", S.SHUFFLE if dealing else None, cover_card_in_deal if dealing else cover_card',
        "the cards are shuffled before the round is played to its end",
    ),
    Mutant(
        "war-first-cover-card-refused",
        _ROUND,
        "for state in (S.BETS_OPEN, *IN_ROUND, S.CORRECTING):",
        "for state in (*IN_ROUND, S.CORRECTING):",
        "a cover card that is the first card of a round is not taken",
    ),
    Mutant(
        "war-cut-at-random-on-the-dealers-hand",
        _SHOE,
        'offer = _RIGHTMOST if place >= len(seats) else f"the player at position {seats[place]}"',
        'offer = f"the player at position {seats[min(place, len(seats) - 1)]}"',
        "the cut is offered to the last player dealt to, not to the one farthest to the right",
    ),
    Mutant(
        "war-cut-offered-to-the-card-before",
        _SHOE,
        'f"the player at position {seats[place]}"',
        'f"the player at position {seats[place - 1]}"',
        "the cut is offered to the player before the one at whose area the cover card appeared",
    ),
    Mutant(
        "war-cut-offered-to-the-left",
        _SHOE,
        '_RIGHTMOST = "the player farthest to your right"',
        '_RIGHTMOST = "the player farthest to your left"',
        "the cut is offered to the wrong end of the table",
    ),
    Mutant(
        "war-first-player-has-no-cut",
        _SHOE,
        "cut_offer=_FIRST, inspect=True)",
        "cut_offer=_RIGHTMOST, inspect=True)",
        "new cards are not offered for the cut to the first player at the table",
    ),
    Mutant(
        "war-floorpersons-shuffle-keeps-the-cut",
        _SHOE,
        "return Step(replace(data, cut_offer=_RIGHTMOST), (Note(",
        "return Step(data, (Note(",
        "after a reshuffle by the floorperson the cut is offered to nobody",
    ),
    Mutant(
        "war-warns-past-four-fifths",
        _SHOE,
        "return self.cards * 3 // 4",
        "return self.cards * 4 // 5",
        "a cover card that does not come out is missed too late",
    ),
    Mutant(
        "war-warns-past-two-thirds",
        _SHOE,
        "return self.cards * 3 // 4",
        "return self.cards * 2 // 3",
        "a cover card that lies where it may is called overlooked",
    ),
    Mutant(
        "war-floorpersons-shuffle-goes-on",
        _MENU,
        '"press 3", S.SHUFFLE, shuffles',
        '"press 3", S.BETS_OPEN, shuffles',
        "the game goes on though the floorperson ordered a reshuffle",
    ),
)
_COLLECTED = (
    Mutant(
        "war-cards-stay-once-winners-are-paid",
        _WORDS,
        'return f"{step_text(data, area_words)}, {_COLLECT}, then press clear"',
        'return f"{step_text(data, area_words)}, then press clear"',
        "a round with winners ends without the cards being asked for",
    ),
    Mutant(
        "war-cards-of-losers-stay",
        _WORDS,
        'collect = f"{_COLLECT}, then " if data.cards else ""',
        'collect = ""',
        "a round that all lost or surrendered ends without the cards being asked for",
    ),
    Mutant(
        "war-cards-collected-before-the-choice",
        _WORDS,
        "    return step_words(data, area_words)\n",
        '    return f"{_COLLECT}; {step_words(data, area_words)}"\n',
        "the cards of a tie are collected before surrender or war",
    ),
)
MUTANTS: tuple[Mutant, ...] = (*_TABLE, *_SHUFFLE, *_COLLECTED)
