"""``odds``: the exact probability, payout, return and house advantage of every wager."""

from argparse import ArgumentParser, ArgumentTypeError, Namespace
from fractions import Fraction

from config.problems import Finding
from config.schema import Section
from config.validation import validate
from controller.commands.columns import as_json, columns
from controller.commands.console import complain
from controller.configuration.shipped import find_table
from controller.machine.game import Game
from controller.machine.registry import find_game
from controller.odds.exact import WagerReturn
from controller.odds.wagers import to_one
from controller.runtime import exit_codes as exits

NAME = "odds"
HELP = "print the exact odds and returns of every wager"
EXAMPLES = (
    ("odds sic-bo", "every wager at the least odds of the regulation"),
    ("odds table.yaml", "every wager at the odds of a table"),
    ("odds casino-war --rule decks=8 --json", "with another rule, for a program"),
)


class _RefusedRulesError(Exception):
    """The game has no such rules."""

    def __init__(self, findings: list[Finding]) -> None:
        super().__init__(findings)
        self.findings = findings


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", metavar="GAME|FILE", help="a game at the least odds, or a table's file")
    parser.add_argument(
        "--rule",
        action="append",
        default=[],
        type=_rule,
        metavar="KEY=VALUE",
        help="a rule of the game instead of the table's, such as decks=8; may be given several times",
    )
    parser.add_argument("--json", action="store_true", help="print JSON, fractions as text")


def run(arguments: Namespace) -> int:
    try:
        game, returns = _returns(arguments.table, dict(arguments.rule))
    except _RefusedRulesError as error:
        for found in error.findings:
            remedy = f"; {found.remedy}" if found.remedy else ""
            complain(f"table-controller odds: --rule {'.'.join(map(str, found.path))}: {found.message}{remedy}")
        return exits.USAGE
    if arguments.json:
        print(as_json({"game": game.name, "wagers": [_wager(item) for item in returns]}))
        return exits.OK
    rows = [
        (
            item.wager,
            str(item.probability),
            _pays(item),
            *(str(item.return_to_player), _percent(item.return_to_player)),
            *(str(item.house_advantage), _percent(item.house_advantage)),
        )
        for item in returns
    ]
    headers = ("wager", "probability", "pays", "return", "", "house advantage", "")
    print(f"{game.headed('ch.')}\n")
    print(columns(headers, rows, right=frozenset({1, 3, 4, 5, 6})))
    return exits.OK


def _rule(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals and value):
        raise ArgumentTypeError(f"'{text}' is not a rule; write it as KEY=VALUE, such as decks=8")
    return key, value


def _returns(name: str, rules: dict[str, str]) -> tuple[Game, list[WagerReturn]]:
    """The returns at a table, or at the minimum odds of a game, with some rules changed.

    Raises:
        _RefusedRulesError: the game has no such rules.
    """
    config = find_table(name).config
    game = find_game(config.game)
    changed = {**config.rules, **rules}
    model = game.rules or Section
    if found := validate(changed, model)[1]:
        raise _RefusedRulesError(found)
    changed_config = config.model_copy(update={"rules": changed})
    payouts = game.least_payouts(changed) if name == game.name else game.payouts(changed_config)
    return game, game.returns(payouts, changed)


def _pays(item: WagerReturn) -> str:
    return ", ".join(map(to_one, item.pays))


def _percent(value: Fraction) -> str:
    return f"{float(value):.2%}"


def _wager(item: WagerReturn) -> dict[str, str]:
    return {
        "wager": item.wager,
        "probability": str(item.probability),
        "pays": _pays(item),
        "return_to_player": str(item.return_to_player),
        "house_advantage": str(item.house_advantage),
        "return_percent": _percent(item.return_to_player),
        "house_advantage_percent": _percent(item.house_advantage),
    }
