"""A table with a limits sign, on simulated hardware and virtual time, and the floorperson at it."""

from typing import Any

from open_tables import opened

from config.schema import LimitsSection, TableConfig
from controller.bench.rig import Rig
from controller.events.event import Event, Terms
from controller.limits.proposals import Proposal
from controller.limits.terms import limits_from

MIN_S = 60
FILE = {"minimum": 5, "maximum": 500, "currency": "$"}


def with_limits(config: TableConfig, **limits: object) -> TableConfig:
    """The same table with limits in its file."""
    return config.model_copy(update={"limits": LimitsSection.model_validate({**FILE, **limits})})


def change(minimum: str = "10", maximum: str = "1000", payout: str = "", **when: Any) -> Proposal:
    """Other limits, 30 minutes ahead by default."""
    return Proposal(Terms(limits_from(minimum, maximum, payout, "$")), **(when or {"minutes": 30}))


KINDS = ("terms-confirmed", "limits-withdrawn", "terms-in-effect")


def on_sign(rig: Rig) -> list[Event]:
    """All events of the sign on record."""
    return [record.event for record in rig.records() if record.event.kind in KINDS]


def recorded_kinds(rig: Rig) -> list[str]:
    """The kinds of the sign's events on record."""
    return [event.kind for event in on_sign(rig)]


def announce(rig: Rig, proposal: Proposal | None = None) -> Proposal:
    """Propose, and confirm with the key; where nobody plays, once the table was quiet for a minute."""
    if proposal is not None and proposal.nobody_plays:
        while rig.table.recorder.round_progress.quiet_in_ns(rig.clock.now_ns()):
            rig.wait(1)
    proposed = rig.table.sign.propose(proposal or change())
    confirm(rig)
    return proposed


def confirm(rig: Rig) -> None:
    """The floorperson confirms what is proposed."""
    rig.floor("limits", "confirm-limits")


def drop(rig: Rig) -> None:
    """The floorperson drops what is proposed."""
    rig.floor("limits", "drop-limits")


def limits(rig: Rig) -> tuple[str, str, str] | None:
    """The limits in effect."""
    amounts = rig.table.table_state.limits
    return None if amounts is None else (amounts.minimum, amounts.maximum, amounts.payout)


def restart(rig: Rig, config: TableConfig) -> None:
    """Start the table again with another file, on the same simulated hardware with its lamps."""
    panel = rig.config.devices.panel.model_copy(update={"lamps": config.devices.panel.lamps})
    parts = {name: getattr(config, name) for name in ("rules", "dice", "layout", "limits")}
    devices = rig.config.devices.model_copy(update={"panel": panel})
    rig.config, rig.configuration = rig.config.model_copy(update={**parts, "devices": devices}), "1" * 64
    rig.power_cut()


def next_round(rig: Rig, stop_on: str = "10") -> None:
    """Play a round of Dreamcatcher to its end."""
    if rig.state.value == "locating":
        rig.turn(1.2)
    rig.press("no-more-bets")
    rig.spin(stop_on=stop_on)
    rig.press("done", "done", "clear")
    assert rig.state.value == "bets-open"


def set_clock(rig: Rig, seconds: float) -> None:
    """Set the wall clock by so much."""
    rig.clock._utc_ns += round(seconds * 1_000_000_000)


new = opened
"""A table that is open for wagers."""
