"""Whole rounds on the bench's page, from the opening of the table on: whoever follows the guide plays one."""

from collections.abc import Iterator
from functools import partial
from typing import Any

from pages import BenchPage
from served import ServedBench

SHOWS_RESULT = {"result", "losers-collected", "winners-paid", "settling", "settled"}
"""States in which a result is shown."""


def waits_for_people(picture: dict[str, Any]) -> bool:
    """Whether the state stays until somebody acts: no wheel turns, and the guide names a button."""
    guide = picture["bench"]["guide"]
    return picture["revolutions"] is None and bool(guide["control"] or guide["key"])


def play(page: BenchPage, bench: ServedBench) -> Iterator[dict[str, Any]]:
    """Do what the guide says; yields the bench's document whenever the table's state has changed."""
    state = ""
    while True:
        picture = bench.picture()
        guide = picture["bench"]["guide"]
        if picture["state"] != state:
            state = picture["state"]
            yield picture
        elif guide["words"].startswith("That was a round."):
            return
        elif button := guide["control"] or guide["key"]:
            page.wait(partial(_marks, page, button), f"{button} marked")
            assert page.sees_marked(), "nobody has to look for the button"
            if guide["control"]:
                page.press(button)
            else:
                page.key(button)
                page.wait(partial(_moves_on, bench, state, guide), f"what {button} does")
        else:
            page.wait(partial(_moves_on, bench, state, guide), "what comes next")


def _marks(page: BenchPage, button: str) -> bool:
    return page.marked() == [button]


def _moves_on(bench: ServedBench, state: str, guide: object) -> bool:
    picture = bench.picture()
    return picture["state"] != state or picture["bench"]["guide"] != guide


def play_until(page: BenchPage, bench: ServedBench, state: str) -> None:
    """Play a round up to a state.

    Raises:
        LookupError: the round never comes there.
    """
    if not any(picture["state"] == state for picture in play(page, bench)):
        raise LookupError(f"the round has no state {state}")
