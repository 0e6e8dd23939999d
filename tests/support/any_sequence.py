"""Random sequences at a table: the actions that every table has, and the check that it can still be played."""

from collections.abc import Sequence

from controller.bench.dealer import Dealer
from controller.bench.oracle import Oracle
from controller.bench.rig import Rig


def acted(table: Rig, kind: object, rest: Sequence[object]) -> bool:
    """Do an action that every table has; returns False for any other kind."""
    if kind == "press":
        table.press(str(rest[0]))
    elif kind == "wait":
        table.wait(float(rest[0]))  # type: ignore[arg-type]
    elif kind == "fault":
        table.world.fault(*rest[0])  # type: ignore[misc]
    elif kind == "repair":
        table.world.repair()
    elif kind == "power":
        table.power_cut()
    else:
        return False
    return True


def assert_playable(dealer: Dealer, oracle: Oracle) -> None:
    """See that the dealer can play two more rounds."""
    rounds = oracle.tally.rounds
    dealer.play(2)
    assert oracle.tally.rounds == rounds + 2
