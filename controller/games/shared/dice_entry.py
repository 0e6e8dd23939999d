"""Three dice that are keyed one after the other: data, conditions and rows of the dice games."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import TypeVar

from controller.events.event import Event
from controller.machine.round_machine import FACES, Row, Step, key_of, presses

DICE = 3


@dataclass(frozen=True)
class Diced:
    """The part of a round's data that holds three dice."""

    entry: tuple[int, ...] = ()  # the dice keyed so far
    # a die of this throw was keyed: people have seen the dice, whether or not the entry was wiped
    seen: bool = False


S = TypeVar("S", bound=Enum)
E = TypeVar("E", bound=Diced)


def dice_rows(*states: S) -> Iterator[Row[S, E]]:
    """Rows that take up to three dice; ``clear`` wipes them."""
    yield Row(states, presses(FACES), None, key_die, incomplete, "fewer than three dice")
    yield Row(states, "press clear", None, wipe)


def complete(data: Diced, event: Event) -> bool:
    return len(data.entry) == DICE


def incomplete(data: Diced, event: Event) -> bool:
    return len(data.entry) < DICE


def key_die(data: E, event: Event) -> Step[E]:
    return Step(replace(data, entry=(*data.entry, int(key_of(event))), seen=True))


def wipe(data: E, event: Event) -> Step[E]:
    return Step(replace(data, entry=()))
