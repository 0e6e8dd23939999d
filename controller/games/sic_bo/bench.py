"""Sic Bo on the bench: what the demonstration shows of it, and its layout."""

from typing import TYPE_CHECKING

from controller.games.dice.bench import dice_bench
from controller.games.dice.demo import DiceDemo

if TYPE_CHECKING:
    from controller.bench.terminal.view import View


def _view() -> "View":
    from controller.games.sic_bo.terminal import VIEW

    return VIEW


BENCH = dice_bench(DiceDemo(triple="a triple: small and big lose", low="a total with high odds"), _view)
