"""Three Dice Football: throws in a row, and every single play by the text of the regulation."""

from controller.games.three_dice_football.rules import Dice

PAYTABLE = {
    "touchdown": ("§ 577.8(a)", ("1 to 1",)),
    "defense": ("§ 577.8(a)", ("4 to 5",)),
    "extra-point": ("§ 577.8(a)", ("1 to 1", "10 to 1", "50 to 1", "10 to 1")),
    "quick-strike-td": ("§ 577.8(a)", ("8 to 1", "5 to 1", "3 to 1", "1 to 1")),
    "game-changer": ("§ 577.8(a)", ("5 to 1",)),
    "game-length-1": ("§ 577.8(a)", ("22 to 1",)),
    "game-length-2": ("§ 577.8(a)", ("22 to 1",)),
    "game-length-3": ("§ 577.8(a)", ("6 to 5",)),
    "game-length-4": ("§ 577.8(a)", ("5 to 1",)),
    "game-length-5": ("§ 577.8(a)", ("3 to 1",)),
    "game-length-6": ("§ 577.8(a)", ("6 to 1",)),
    "trips-td": ("§ 577.8(b)", ("30 to 1",)),
    "penalty": ("§ 577.8(b)", ("9 to 1",)),
    "turnover": ("§ 577.8(b)", ("60 to 1",)),
    "cover-three": ("§ 577.8(b)", ("7 to 1",)),
    "no-gain": ("§ 577.8(b)", ("5 to 1",)),
    "big-play": ("§ 577.8(b)", ("4 to 1",)),
    "over-four-yards": ("§ 577.8(b)", ("1 to 1", "7 to 1")),
    "under-four-yards": ("§ 577.8(b)", ("1 to 1",)),
}
"""The clause and the odds of each wager; several where it pays by degree, in the order of the list."""
FULL_GAME, SINGLE_PLAY = (
    [area for area, (clause, _) in PAYTABLE.items() if clause == f"§ 577.8{part}"] for part in ("(a)", "(b)")
)
LAMPS = {
    *PAYTABLE,
    *(f"yard-{yards}" for yards in range(1, 24)),
    "end-zone",
    *("down-1", "down-2", "down-3", "goal-1", "goal-2", "goal-3", "extra-point-roll"),
    *("play-1", "play-2", "play-3", "play-4", "play-5", "play-6"),
}
"""What the layout has (§ 577.2(b)(2), (4) to (6)), each with a lamp."""
NO_ROLLS = {
    "1": ("off-the-table", "§ 577.5(b)", "off the table"),
    "2": ("on-another-die", "§ 577.5(b)", "on another"),
    "3": ("not-simultaneous", "§ 577.5(c)(1)", "simultaneous"),
    "4": ("end-not-struck", "§ 577.5(c)(2)", "end"),
    "5": ("on-the-bank", "§ 577.5(c)(3)", "on the bank"),
    "6": ("in-the-cup", "§ 577.5(c)(4)", "cup"),
    "7": ("crooked", "§ 577.5(c)(5)", "crooked"),
    "8": ("improper", "§ 577.5(c)(6)", "improper"),
    "9": ("cocked", "§ 577.5(f), (g)", "more than one side"),
}
"""Why a throw does not count, by the key for it: its name on record, its clause, and a word of the clause."""
Spot = tuple[int, int, bool, int]
"""Yards, down, goal series, play."""


def single_plays_by_hand(a: int, b: int, red: int) -> dict[str, str]:
    """§ 577.3(d) and § 577.8(b)."""
    if a == b == red:
        return {"trips-td": "30 to 1", "cover-three": "7 to 1", "big-play": "4 to 1", "over-four-yards": "7 to 1"}
    wins: dict[str, str] = {}
    green = a + b
    if green < red:
        wins |= {"penalty": "9 to 1", "cover-three": "7 to 1"}
    if red == 6 and green <= 3:
        wins["turnover"] = "60 to 1"
    if green <= red:
        wins["no-gain"] = "5 to 1"
    if green >= red + 7:
        wins["big-play"] = "4 to 1"
    if green >= red + 5:
        wins["over-four-yards"] = "1 to 1"
    if green <= red + 3:
        wins["under-four-yards"] = "1 to 1"
    return wins


def thrown_by_hand(spot: Spot, dice: Dice) -> tuple[str, int, Spot | None, str | None]:
    """§ 577.6(c) and (e): the kind, the yards, the next spot, the ending."""
    yards, down, goal, number = spot
    a, b, red = dice
    if dice in {(n, n, n) for n in (1, 2, 3, 4, 5, 6)}:
        return "trips-td", 0, None, "trips-td"
    if dice in {(1, 1, 6), (1, 2, 6), (2, 1, 6)}:
        return "turnover", 0, None, "turnover"
    if a + b > red:
        kind, moved = "gain", a + b - red
    elif a + b < red:
        kind, moved = "penalty", -1
    else:
        kind, moved = "no-gain", 0
    left = yards - moved
    if left < 1:
        return kind, moved, None, "touchdown"
    if not goal and left < 11:
        return kind, moved, (left, 1, True, number + 1), None
    if down < 3:
        return kind, moved, (left, down + 1, goal, number + 1), None
    return kind, moved, None, "downs"


def field_by_hand(spot: Spot) -> set[str]:
    """Down Puck, Game Length Puck and Yard Marker before a throw (§ 577.6(a), (c))."""
    yards, down, goal, number = spot
    return {f"{'goal' if goal else 'down'}-{down}", f"play-{number}", f"yard-{yards}"}


def games_by_hand(ending: str, plays: int) -> dict[str, str]:
    """§ 577.3(b) and § 577.8(a): the full game wagers but touchdown and extra point, at the end of a game."""
    scored = ending in ("touchdown", "trips-td")
    odds = {area: pays for area, (_, pays) in PAYTABLE.items()}
    wins = {f"game-length-{plays}": odds[f"game-length-{plays}"][0]}
    if not scored:
        wins["defense"] = odds["defense"][0]
    elif plays <= 4:
        wins["quick-strike-td"] = odds["quick-strike-td"][plays - 1]
    if ending in ("trips-td", "turnover"):
        wins["game-changer"] = odds["game-changer"][0]
    return wins
