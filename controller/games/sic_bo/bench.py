"""Sic Bo on the bench: what the demonstration shows of it."""

from controller.games.dice.bench import dice_bench
from controller.games.dice.demo import DiceDemo

BENCH = dice_bench(DiceDemo(triple="a triple: small and big lose", low="a total with high odds"))
