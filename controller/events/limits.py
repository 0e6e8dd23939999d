"""The events of a table's sign: limits, odds and rules that a floorperson confirmed, and when they count.

No game reacts to them: the table's own state follows from them (:mod:`controller.limits.table_state`).
"""

from dataclasses import dataclass
from typing import Literal

from controller.events.frozen import Frozen


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HouseRules(Frozen):
    """What a table's file says of its play besides limits and odds (§ 521.8(b)), as plain data."""

    rules: dict[str, object]
    """The section ``rules``, defaults included."""
    dice: dict[str, object]
    """The section ``dice``."""
    symbols: dict[str, str]
    """The layout's symbols, by area."""
    steps: dict[str, str]
    """Wagers are placed in steps of these amounts (§ 521.7(d)): decimals, by wager, or ``every``."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class FileTerms(Frozen):
    """What a table's file says of limits, odds and rules."""

    minimum: str
    """Decimal, in the currency's unit; empty if the file has no limits."""
    maximum: str
    payout: str
    currency: str
    """The sign in front of an amount."""
    odds: dict[str, str]
    """The odds above the regulation's minimum, by wager: ``41 to 1``."""
    house: HouseRules | None = None
    """None if rules are not compared."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LimitsAnnounced(Frozen):
    """The floorperson announced other limits for the table's sign (§ 521.8(c))."""

    at_ns: int
    utc_ns: int
    minimum: str
    """Decimal, in the currency's unit."""
    maximum: str
    payout: str
    """The most that is paid out in a round; empty for no limit."""
    from_utc_ns: int
    """Wall time at which they take effect."""
    nobody_plays: bool = False
    """The floorperson states that no patron plays, so that they take effect at once (§ 521.8(c)(1))."""
    by: str = ""
    """Credential number of the floorperson, where the table requires it."""
    currency: str = ""
    """Another currency sign; empty for the one in effect."""
    to_patrons: bool = False
    """The floorperson states that the change was announced to the patrons at the table (§ 521.8(c)(2)(iii))."""
    from_file: bool = False
    """They are those of the table's file."""
    kind: Literal["limits-announced"] = "limits-announced"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LimitsWithdrawn(Frozen):
    """The floorperson withdrew the announcement of other limits."""

    at_ns: int
    utc_ns: int
    by: str = ""
    kind: Literal["limits-withdrawn"] = "limits-withdrawn"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LimitsInEffect(Frozen):
    """The announced limits have taken effect."""

    at_ns: int
    utc_ns: int
    minimum: str
    maximum: str
    payout: str
    currency: str = ""
    """The currency sign from now on; empty if it stays."""
    kind: Literal["limits-in-effect"] = "limits-in-effect"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LimitsNotice(Frozen):
    """The sign has shown the announced limits for a further while (§ 521.8(c)(2)(i), (ii))."""

    at_ns: int
    utc_ns: int
    lit_ns: int
    """For how long in all, whatever the clock was set to; time without power or table does not count."""
    kind: Literal["limits-notice"] = "limits-notice"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OddsConfirmed(Frozen):
    """The floorperson confirmed other payout odds, which count from the next round on (§ 521.8(b))."""

    at_ns: int
    utc_ns: int
    odds: dict[str, str]
    """Those above the regulation's minimum, by wager."""
    by: str = ""
    kind: Literal["odds-confirmed"] = "odds-confirmed"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OddsInEffect(Frozen):
    """The confirmed odds count from this round on."""

    at_ns: int
    utc_ns: int
    odds: dict[str, str]
    kind: Literal["odds-in-effect"] = "odds-in-effect"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RulesConfirmed(Frozen):
    """The floorperson confirmed other rules of the file, which count from the next round on (§ 521.8(b))."""

    at_ns: int
    utc_ns: int
    rules: HouseRules
    detail: str
    """What will be different, as text."""
    by: str = ""
    kind: Literal["rules-confirmed"] = "rules-confirmed"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RulesInEffect(Frozen):
    """The rules of the table's file count from now on."""

    at_ns: int
    utc_ns: int
    rules: HouseRules
    anew: bool
    """The table is closed, and is made ready anew: no wagers lie."""
    round: int
    """The last round, which nothing was played of under other rules."""
    detail: str
    """What is different, as text."""
    kind: Literal["rules-in-effect"] = "rules-in-effect"
