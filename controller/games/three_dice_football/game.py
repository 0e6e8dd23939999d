"""Three Dice Football (58 Pa. Code ch. 577): two green dice against a red one, over a field of 20 yards."""

from pydantic import Field

from config.schema import TableConfig
from controller.games.shared.ages import AGES, AgingRules
from controller.games.three_dice_football.play import INDICATORS, MOST_POSITIONS, RESULT_STATES, listed
from controller.games.three_dice_football.round import FootballRound
from controller.games.three_dice_football.rules import WAGERS, returns
from controller.games.three_dice_football.words import WORDS, area_name
from controller.machine.game import Game
from controller.machine.round_machine import DIGITS


class FootballRules(AgingRules):
    """The rules of a table of Three Dice Football."""

    positions: int = Field(ge=1, le=MOST_POSITIONS, description="wagering positions at the table (§ 577.2(a))")


def _machine(config: TableConfig) -> FootballRound:
    rules = FootballRules.model_validate(config.rules)
    return FootballRound(GAME.payouts(config), rules.positions, rules.equipment("dice", "§ 577.4(d)"))


GAME = Game(
    name="three-dice-football",
    title="Three Dice Football",
    chapter="577",
    wagers=WAGERS,
    indicators=INDICATORS,
    controls=frozenset({"no-more-bets", "done", "clear", "enter", "no-roll", "correct", *DIGITS}),
    machine=_machine,
    returns=lambda payouts, rules: returns(payouts),
    guide=(
        "The quarterback throws two green dice and a red one. Green above red gains so many yards; green "
        "below red is a penalty of one yard; equal dice gain nothing. From the 20 yard line, three downs "
        "must bring a touchdown or reach the 10 yard line, which gives three downs more.",
        "Three alike are a Trips TD and end the game at once; so does a turnover, a red 6 against a green 2 or 3.",
        "Full game wagers are placed before the first throw and stay until the game is over. Single play "
        "wagers may be placed before every throw, and are settled after it, by the dice and not by the yards "
        "moved.",
        "Cover Three wins on a penalty, a turnover and a Trips TD; No Gain on no gain, a penalty and a turnover; "
        "Big Play on a gain of seven yards or more and a Trips TD; Over Four Yards on a gain of five or more and a "
        "Trips TD; Under Four Yards on three or fewer, a penalty and a turnover included. Exactly four yards wins "
        "neither of the last two. Over Four Yards pays 1 to 1, and 7 to 1 on a Trips TD.",
        "Defense wins if the game ends without a score; Game Changer if it ends by a Trips TD or a turnover; Game "
        "Length by the number of its throws. Quick Strike TD wins if the score comes with one of the first four "
        "throws: the first pays 8 to 1, the second 5 to 1, the third 3 to 1, the fourth 1 to 1.",
        "After a touchdown the dice are thrown once more if anybody wagered on the extra point: it wins on "
        "any 1 and on three alike. A 1 on one die pays 1 to 1, on two dice 10 to 1, on all three 50 to 1; three "
        "alike of another number pay 10 to 1.",
        "A quarterback who scores keeps the dice; else they pass clockwise.",
    ),
    rules=FootballRules,
    rules_between_rounds=AGES,
    listed=listed,
    words=WORDS,
    result_states=RESULT_STATES,
    area_name=area_name,
)
