"""What people do with dice while a device of their table is broken."""

from controller.bench.dealer import Dealer
from controller.bench.slips import WorldSlips, key


def _shake(dealer: Dealer) -> None:
    """The dice are shaken before the table asks for them; they lie there until they are keyed."""
    dealer.witness.compare(dealer.rig)
    dealer.roll()


def _again(dealer: Dealer) -> None:
    """The shaker's cycle is started, or started again: its contact closes."""
    if "shaker-done" in dealer.rig.world.switches.names:
        dealer.rig.world.press("shaker-done")


_NO_ROLL = frozenset({key("no-roll")})
SLIPS = WorldSlips(
    acts={"the dice are shaken": _shake, "the shaker is started": _again},
    voids={
        **dict.fromkeys(("no-roll", "shaker-failed", "not-tossed", "second-toss"), _NO_ROLL),
        "malfunction": _NO_ROLL,
    },
)
