"""Three Dice Football: throws in a row, and every single play by the text of the regulation."""

from controller.games.three_dice_football.rules import Dice, Drive, PlayResult, throw

FULL_GAME = [
    "touchdown",
    "defense",
    "extra-point",
    "quick-strike-td",
    "game-changer",
    *(f"game-length-{plays}" for plays in range(1, 7)),
]
SINGLE_PLAY = [
    "trips-td",
    "penalty",
    "turnover",
    "cover-three",
    "no-gain",
    "big-play",
    "over-four-yards",
    "under-four-yards",
]


def play(*throws: Dice) -> PlayResult:
    """A game from the 20 yard line; the last throw's play."""
    *before, last = throws
    drive: Drive | None = Drive()
    for dice in before:
        assert drive is not None, "the game has ended"
        drive = throw(drive, dice).drive
    assert drive is not None, "the game has ended"
    return throw(drive, last)


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
