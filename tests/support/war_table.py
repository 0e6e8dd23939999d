"""A Casino War table with other rules, its deal and its settlement."""

from config.schema import TableConfig
from controller.bench.rig import Rig


def with_rules(config: TableConfig, **rules: object) -> TableConfig:
    return config.model_copy(update={"rules": {**config.rules, **rules}})


def deal(table: Rig, seats: str, cards: str) -> None:
    """The positions with a wager, their cards, and the dealer's last."""
    table.press("no-more-bets", *seats, "enter", *cards.split(), "enter")


def settle(table: Rig) -> list[str]:
    prompts = []
    while table.state.value == "settling":
        prompts.append(table.waiting_for)
        table.press("done")
    return prompts
