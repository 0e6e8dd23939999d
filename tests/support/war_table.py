"""A Casino War table: its deal and its settlement."""

from controller.bench.rig import Rig
from controller.events.words import Text


def deal(table: Rig, seats: str, cards: str) -> None:
    """The positions with a wager, their cards, and the dealer's last."""
    table.press("no-more-bets", *seats, "enter", *cards.split(), "enter")


def asked(table: Rig) -> Text:
    """What the dealer does next."""
    instruction: Text = table.machine.instruction()
    return instruction


def parameter(table: Rig, name: str) -> str | int:
    return asked(table).parameters[name]


def settle(table: Rig) -> list[str]:
    """The steps of a settlement, as codes."""
    steps = []
    while table.state.value == "settling":
        steps.append(asked(table).code)
        table.press("done")
    return steps
