"""Proposals for the floorperson's key: other limits or house rules, and when they may be confirmed.

§ 521.8(b), (c). Pure: the caller passes the time. Wall times are in nanoseconds UTC.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from controller.events.event import Event, Limits, LimitsWithdrawn, Terms, TermsConfirmed, TermsInEffect
from controller.limits.table_state import QUIET_NS, TableState
from controller.limits.terms import (
    FARTHEST_MIN,
    NOTICE_MIN,
    NOTICE_NS,
    NS_PER_MIN,
    NS_PER_S,
    changed,
    house_text,
    limits_from,
    limits_text,
    time_of_day,
)

PATIENCE_S = 60
"""A proposal that is not confirmed within this time expires."""
FILE_PATIENCE_S = 600
"""The same of what the table's file says: people may come to a table a while after its start."""
_LATEST_MS = 1 << 53
_CONFIRM = "turn the key and confirm"


class ProposalOutcome(Enum):
    """What became of a proposal; those but the first two stay."""

    WAITING = "waiting"
    RECORDING = "recording"
    """Confirmed, and not on record yet."""
    CONFIRMED = "confirmed"
    REFUSED = "refused"
    """Dropped at the table, expired, or not possible any more."""


class Present(NamedTuple):
    """The table at the time at which a proposal is looked at."""

    state: TableState
    currency: str
    """The sign in front of an amount that is in effect."""
    at_ns: int
    utc_ns: int
    quiet_in_ns: int | None
    """For how long nothing may happen yet until the table counts as quiet; None while wagers are not open, or
    something was keyed or thrown in this round."""


@dataclass(eq=False)
class Proposal:
    """What the floorperson's key is to confirm, and what became of it.

    Other limits have one of the times, or nobody plays. Other house terms count from the next round on.
    """

    terms: Terms | None
    """None: the announced limits do not take effect."""
    minutes: int | None = None
    """Limits take effect this long after the key is turned."""
    from_utc_ns: int = 0
    """They take effect at this wall time; with minutes beside it, not before it."""
    nobody_plays: bool = False
    """In effect at once, as nobody is playing (§ 521.8(c)(1))."""
    from_file: bool = False
    outcome: ProposalOutcome = field(default=ProposalOutcome.WAITING, init=False)
    words: str = field(default="", init=False)
    """What people read of the outcome."""
    since_ns: int = field(default=0, init=False)
    """Monotonic time at which it was put to the floorperson."""

    @property
    def patience_s(self) -> int:
        return FILE_PATIENCE_S if self.from_file else PATIENCE_S

    def put(self, now: Present) -> None:
        """It is put to the floorperson now. The time that patrons are told holds if the key is turned later."""
        self.since_ns, self.from_utc_ns = now.at_ns, self._effective(now.utc_ns + PATIENCE_S * NS_PER_S)

    def _effective(self, utc_ns: int) -> int:
        """The wall time at which limits confirmed now take effect, rounded up to a whole minute."""
        if self.nobody_plays:
            return utc_ns
        if self.minutes is None:
            return self.from_utc_ns
        return max(self.from_utc_ns, -(-(utc_ns + self.minutes * NS_PER_MIN) // NS_PER_MIN) * NS_PER_MIN)

    def prompt(self, now: Present) -> str:
        if self.terms is None:
            pending = now.state.pending
            of = f" of {limits_text(pending.limits)}" if pending is not None else ""
            return f"FLOORPERSON: to withdraw the announced limits{of}, {_CONFIRM}."
        limits, house = self.terms.limits, self.terms.house
        what, changes = list[str](), list[str]()
        if house is not None:
            what.append("rules or odds, which need an approval (§ 521.8(b))")
            changes.append(f"from the next round on {house_text(now.state.house, house, now.currency)}")
        if limits is not None:
            if self.nobody_plays:
                return f"FLOORPERSON: if nobody plays, {_CONFIRM}: {limits_text(limits)} from now on."
            what.append("limits")
            at = time_of_day(self._effective(now.utc_ns))
            changes.append(f"from {at} on wagers are {limits_text(limits)}")
        why = f"the table's file has other {', and other '.join(what)}. Announce" if self.from_file else "announce"
        return f"FLOORPERSON: {why} to the patrons: {'; '.join(changes)}. Then {_CONFIRM}."

    def objection(self, now: Present) -> str:
        """Why it cannot be confirmed now, with the remedy; empty if it can."""
        state = now.state
        if self.terms is None:
            return "" if state.pending is not None else "no limits are announced: there is nothing to withdraw"
        limits = self.terms.limits
        if limits is None:
            return ""
        if limits == state.limits:
            instead = "; withdraw those that are announced instead" if state.pending is not None else ""
            return f"these limits are in effect already{instead}"
        if self.nobody_plays:
            return _played(now.quiet_in_ns)
        from_ns = self._effective(now.utc_ns)
        if from_ns - now.utc_ns < NOTICE_NS:
            return (
                f"{time_of_day(from_ns)} is less than {NOTICE_MIN} minutes ahead; "
                "choose a later time (§ 521.8(c)(2)(i))"
            )
        if from_ns - now.utc_ns > (FARTHEST_MIN + 1) * NS_PER_MIN:
            return "the limits would take effect more than a day from now; choose an earlier time"
        return ""

    def events(self, now: Present, by: str) -> list[Event]:
        """The events to record once it is confirmed. Check :meth:`objection` first."""
        if self.terms is None:
            return [LimitsWithdrawn(now.at_ns, by)]
        when, house, to_patrons = (now.at_ns, now.utc_ns), self.terms.house, not self.nobody_plays
        other = changed(now.state.house, house) if house is not None else ()
        from_ns = self._effective(now.utc_ns) if self.terms.limits is not None else 0
        confirmed = TermsConfirmed(*when, self.terms, by, other, from_ns, to_patrons, self.from_file)
        return [confirmed] if to_patrons else [confirmed, TermsInEffect(*when, self.terms)]

    def confirmed(self, now: Present) -> str:
        """What people read once the events are on record."""
        if self.terms is None:
            return "the announcement is withdrawn; the limits stay as they are"
        limits, pending = self.terms.limits, now.state.pending
        said = ["these rules and odds count from the next round on"] if self.terms.house is not None else []
        if limits is not None and pending is not None:
            said.append(f"{limits_text(limits)}, announced, in effect from {time_of_day(pending.from_utc_ns)}")
        elif limits is not None:
            said.append(f"{limits_text(limits)}, in effect now")
        return "; ".join(said)


def _played(quiet_in_ns: int | None) -> str:
    """Why nobody can be known not to play; empty if that is possible."""
    instead = f"or announce the limits {NOTICE_MIN} minutes ahead"
    if quiet_in_ns is None:
        return (
            "a round is being played, or the table is not open for wagers; turn to it when wagers are open and "
            f"nothing has been thrown or keyed, {instead}"
        )
    if not quiet_in_ns:
        return ""
    return (
        f"something was keyed or thrown less than {QUIET_NS // NS_PER_S} s ago; if nobody plays, leave the table "
        f"alone for {-(-quiet_in_ns // NS_PER_S)} s more, {instead}"
    )


# -- where proposals come from -----------------------------------------------------------------------------------


def asked_for(body: Mapping[str, object], present: Limits | None, currency: str) -> Proposal:
    """The proposal that ``table-controller limits`` asks for.

    Args:
        body: ``{"withdraw": true}``, or ``{"set": {"minimum": "10", "maximum": "500"}}`` with ``minutes``,
            ``from_utc_ms`` or ``nobody_plays`` beside it. Without ``payout`` in ``set`` the payout limit stays as
            it is; an empty one removes it.
        present: the limits in effect.

    Raises:
        ValueError: it asks for something else, or for what cannot be; the message says what to do.
    """
    limits, when = body.get("set"), {name: value for name, value in body.items() if name != "set"}
    if not isinstance(limits, dict) or not all(isinstance(value, str) for value in limits.values()):
        if body == {"withdraw": True}:
            return Proposal(None)
        raise ValueError("send set with minimum and maximum as strings, or withdraw, or show")
    payout = limits.get("payout", present.payout if present is not None else "")
    other = Terms(limits_from(limits.get("minimum", ""), limits.get("maximum", ""), payout, currency))
    match when if len(when) == 1 else None:
        case {"nobody_plays": True}:
            return Proposal(other, nobody_plays=True)
        case {"minutes": int(minutes)} if NOTICE_MIN <= minutes <= FARTHEST_MIN:
            return Proposal(other, minutes=minutes)
        case {"minutes": _}:
            raise ValueError(f"minutes are a whole number from {NOTICE_MIN} to {FARTHEST_MIN}")
        case {"from_utc_ms": int(from_utc_ms)} if 0 <= from_utc_ms < _LATEST_MS:
            return Proposal(other, from_utc_ns=from_utc_ms * 1_000_000)
    raise ValueError("send with set exactly one of minutes, from_utc_ms (since 1970, UTC) and nobody_plays: true")


def of_file(file: Terms, state: TableState) -> Proposal | None:
    """What the table's file says otherwise than the record; None if nothing.

    Not the limits that it had when it was last confirmed: they were changed at the table.
    """
    limits, last = file.limits, state.pending.limits if state.pending is not None else state.limits
    known = limits == last or (state.limits is not None and limits == state.file)
    same_house = (state.next_house or state.house) in (None, file.house)
    other = Terms(None if known else limits, None if same_house else file.house)
    return Proposal(other, minutes=NOTICE_MIN, from_file=True) if other != Terms() else None
