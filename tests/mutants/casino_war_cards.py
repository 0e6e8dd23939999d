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
)
_SHUFFLE = ()
_COLLECTED = ()
MUTANTS: tuple[Mutant, ...] = (*_TABLE, *_SHUFFLE, *_COLLECTED)
