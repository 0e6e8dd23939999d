"""Mutants of the clauses on table and cards of Casino War (§§ 651a.2 to 651a.5, 651a.9(d))."""

from mutants.mutant import Mutant

_GAME = "controller/games/casino_war/game.py"
_PLAY = "controller/games/casino_war/play.py"
_ROUND = "controller/games/casino_war/round.py"
_RULES = "controller/games/casino_war/rules.py"
_WORDS = "controller/games/casino_war/words.py"
_AGES = "controller/table/ages.py"

_TABLE = (
    Mutant("war-eight-positions", _GAME, "le=MOST_POSITIONS,", "le=8,", "a table with eight positions is accepted"),
    Mutant(
        "war-lamp-may-be-missing",
        "controller/configuration/rules.py",
        "if lamp not in given:",
        "if lamp in game.areas and lamp not in given:",
        "a file without the lamps of a position is accepted",
    ),
    Mutant("war-seven-decks", _GAME, "MANUAL_DECKS = (6, 8)", "MANUAL_DECKS = (6, 7, 8)", "seven decks are played"),
    Mutant(
        "war-cover-cards-counted",
        _RULES,
        "CARDS_OF_A_DECK = SUITS * len(RANKS)",
        "CARDS_OF_A_DECK = SUITS * len(RANKS) + 2",
        "the cover cards are counted as cards of the shoe",
    ),
    Mutant(
        "war-one-ace-too-many",
        _PLAY,
        "data.seen[RANKS.index(rank)] >= rules.SUITS * self.decks",
        "data.seen[RANKS.index(rank)] > rules.SUITS * self.decks",
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
        "war-key-of-no-position",
        _ROUND,
        "presses(map(str, range(1, self._shoe.positions + 1)))",
        "presses(map(str, range(1, 8)))",
        "a wager is taken at a position that the table does not have",
    ),
    Mutant(
        "war-tie-wagers-without-lamp",
        _PLAY,
        '"tie": ("won", "lost"), "war"',
        '"war"',
        "the areas of tie wagers have no lamps",
    ),
    Mutant(
        "war-seven-decks-by-hand",
        _PLAY,
        "return data.shuffler or self.decks in self.by_hand",
        "return True",
        "seven decks are shuffled by hand once the shuffler is out of order",
    ),
    Mutant(
        "war-same-batch-again",
        _ROUND,
        "batch = 1 - data.batch if data.shuffler else data.batch",
        "batch = data.batch",
        "the batches do not take turns",
    ),
    Mutant(
        "war-prompt-names-the-batch-in-play",
        _PLAY,
        "batch = 2 - data.batch if data.shuffler",
        "batch = 1 + data.batch if data.shuffler",
        "the dealer is asked for the batch that was dealt last",
    ),
    Mutant(
        "war-old-cards-are-shuffled",
        _AGES,
        "one.name in data.fitted_utc_ns and one.name not in data.retired for one in equipment",
        "one.name in data.fitted_utc_ns for one in equipment",
        "a round opens with cards older than 24 hours",
    ),
    Mutant(
        "war-cards-do-not-age-without-power",
        _AGES,
        "StartTimer(RETIRE + one.name, max(0, one.retire_ns - age_ns))",
        "StartTimer(RETIRE + one.name, one.retire_ns)",
        "a restart begins the 24 hours anew",
    ),
    Mutant(
        "war-cards-of-two-days",
        "controller/games/shared/ages.py",
        "Decimal(24), ge=1, le=24,",
        "Decimal(24), ge=1, le=48,",
        "a file may let cards be used for two days",
    ),
)
_SHUFFLE = (
    Mutant(
        "war-new-cards-uninspected",
        _ROUND,
        'sets(cut_offer="first-player", inspect=True)',
        'sets(cut_offer="first-player")',
        "new cards are not asked to be inspected",
    ),
    Mutant(
        "war-inspection-always-on-record",
        _ROUND,
        'before = (Note("cards-preinspected"),) if data.inspect',
        'before = (Note("cards-inspected"),) if data.inspect',
        "an inspection that nobody keyed is on record",
    ),
    Mutant(
        "war-inspection-not-asked",
        _WORDS,
        'f"Inspect the cards. Spread them',
        'f"Spread the cards',
        "the dealer is asked to spread new cards, not to inspect them",
    ),
    Mutant(
        "war-spread-not-asked",
        _WORDS,
        "Spread them face up for the first player{each}. ",
        "",
        "the dealer is not asked to spread new cards face up",
    ),
    Mutant(
        "war-preinspected-cards-are-inspected",
        _PLAY,
        "return data.shuffler or self.decks in self.by_hand",
        "return not data.inspect and (data.shuffler or self.decks in self.by_hand)",
        "preinspected and preshuffled cards are not taken without an inspection at the table",
    ),
    Mutant(
        "war-batches-spread-together",
        _WORDS,
        '", each batch separately" if found.get("batch") else ""',
        '""',
        "nobody is asked to spread the two batches apart",
    ),
    Mutant(
        "war-opens-without-a-shuffle",
        _ROUND,
        '"act open", S.SHUFFLE, new',
        '"act open", S.BETS_OPEN, then(new, _opens)',
        "the first round opens before the cards are shuffled",
    ),
    Mutant(
        "war-cover-card-changes-nothing",
        _PLAY,
        "return data.cover or data.dealt > self.cards",
        "return data.dealt > self.cards",
        "the next round is dealt past the cover card",
    ),
    Mutant(
        "war-quick-end-skips-the-shuffle",
        _ROUND,
        'S.SHUFFLE, _ends, both(over, due), "one step left at most, shuffle due")',
        'S.BETS_OPEN, _opens, both(over, due), "one step left at most, shuffle due")',
        "a round that ends with its last step is followed by another, past the cover card",
    ),
    Mutant(
        "war-cover-card-ends-the-deal",
        _ROUND,
        '_Row(DEALS, "press cover-card", None, _cover_card_in_deal)',
        '_Row(DEALS, "press cover-card", S.SHUFFLE, _cover_card_in_deal)',
        "the cards are shuffled before the round is played to its end",
    ),
    Mutant(
        "war-first-cover-card-refused",
        _ROUND,
        "others = (S.BETS_OPEN, S.POSITIONS, *RESULT)",
        "others = (S.POSITIONS, *RESULT)",
        "a cover card that is the first card of a round is not taken",
    ),
    Mutant(
        "war-cut-at-random-on-the-dealers-hand",
        _ROUND,
        'offer = str(seats[place]) if place < len(seats) else "rightmost"',
        "offer = str(seats[min(place, len(seats) - 1)])",
        "the cut is offered to the last player dealt to, not to the one farthest to the right",
    ),
    Mutant(
        "war-cut-offered-to-the-card-before",
        _ROUND,
        "offer = str(seats[place]) if",
        "offer = str(seats[place - 1]) if",
        "the cut is offered to the player before the one at whose area the cover card appeared",
    ),
    Mutant(
        "war-cut-offered-to-the-left",
        _WORDS,
        '"rightmost": "the player farthest to your right"',
        '"rightmost": "the player farthest to your left"',
        "the cut is offered to the wrong end of the table",
    ),
    Mutant(
        "war-cut-offered-to-nobody",
        _WORDS,
        """offer = f"Offer the cut to {_CUT.get(cut, f'the player at position {cut}')}" if cut else""",
        """offer = f"Offer the cut to {_CUT[cut]}" if cut in _CUT else""",
        "the screen does not say at which position the cover card appeared",
    ),
    Mutant(
        "war-first-player-has-no-cut",
        _ROUND,
        'sets(cut_offer="first-player", inspect=True)',
        'sets(cut_offer="rightmost", inspect=True)',
        "new cards are not offered for the cut to the first player at the table",
    ),
    Mutant(
        "war-floorpersons-shuffle-keeps-the-cut",
        _ROUND,
        'S.SHUFFLE, sets(cut_offer="rightmost"))',
        "S.SHUFFLE, sets())",
        "after a reshuffle by the floorperson the cut is offered to nobody",
    ),
    Mutant(
        "war-warns-past-four-fifths",
        _PLAY,
        "data.dealt <= self.cards * 3 // 4",
        "data.dealt <= self.cards * 4 // 5",
        "a cover card that does not come out is missed too late",
    ),
    Mutant(
        "war-warns-past-two-thirds",
        _PLAY,
        "data.dealt <= self.cards * 3 // 4",
        "data.dealt <= self.cards * 2 // 3",
        "a cover card that lies where it may is called overlooked",
    ),
    Mutant(
        "war-floorpersons-shuffle-goes-on",
        _ROUND,
        '("reshuffle", "reshuffle", S.SHUFFLE,',
        '("reshuffle", "reshuffle", S.BETS_OPEN,',
        "the game goes on though the floorperson ordered a reshuffle",
    ),
)
_COLLECTED = (
    Mutant(
        "war-cards-stay-once-winners-are-paid",
        _WORDS,
        "{'Collect all cards. Then press CLEAR.' if found.get('last')",
        "{'Then press CLEAR.' if found.get('last')",
        "a round with winners ends without the cards being asked for",
    ),
    Mutant(
        "war-cards-of-losers-stay",
        _WORDS,
        "The round is over. Collect all cards. Then press CLEAR.",
        "The round is over. Then press CLEAR.",
        "a round that all lost or surrendered ends without the cards being asked for",
    ),
    Mutant(
        "war-cards-collected-before-the-choice",
        _PLAY,
        'return self.steps == ("pay",) and not self.undecided',
        'return self.steps == ("pay",)',
        "the cards of a tie are collected before surrender or war",
    ),
)
MUTANTS: tuple[Mutant, ...] = (*_TABLE, *_SHUFFLE, *_COLLECTED)
