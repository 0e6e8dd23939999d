"""The state of a table that is independent of its game: limits and odds in effect, those announced, and the dealer.

Pure: an event yields a new state. Each checkpoint of the journal contains it beside the machine's state, so that a
restart reads no more than one round to restore it.
"""

from dataclasses import dataclass, replace

from pydantic import TypeAdapter

from controller.events.event import (
    DealerLoggedOn,
    Event,
    FileTerms,
    HouseRules,
    Identified,
    IdentityRefused,
    LimitsAnnounced,
    LimitsInEffect,
    LimitsNotice,
    LimitsWithdrawn,
    OddsConfirmed,
    OddsInEffect,
    PowerRestored,
    PromptClosed,
    PromptOpened,
    RulesConfirmed,
    RulesInEffect,
    TableStarted,
)
from controller.machine.snapshots import read_back


@dataclass(frozen=True, slots=True)
class Amounts:
    """Limits: decimals in the currency's unit, written without redundant zeros."""

    minimum: str
    maximum: str
    payout: str = ""
    """The most that is paid out in a round; empty for no limit."""


@dataclass(frozen=True, slots=True)
class AnnouncedLimits:
    """Limits that were announced and are not in effect yet (§ 521.8(c)(2))."""

    amounts: Amounts
    announced_utc_ns: int
    from_utc_ns: int
    """Wall time from which on they take effect, with the next round."""
    currency: str = ""
    """Another currency sign; empty for the one in effect."""
    lit_ns: int = 0
    """For how long the sign has shown them, as far as it is on record."""

    @property
    def notice_ns(self) -> int:
        """How long ahead they were announced."""
        return self.from_utc_ns - self.announced_utc_ns


@dataclass(frozen=True, slots=True)
class PayoutOdds:
    above: dict[str, str]
    """Those above the regulation's minimum, by wager: ``41 to 1``."""


@dataclass(frozen=True, slots=True)
class TableState:
    limits: Amounts | None = None
    """In effect; None while none are on record."""
    pending: AnnouncedLimits | None = None
    dealer: str = ""
    """The number of the dealer who is logged on; empty for none."""
    currency: str = ""
    """The sign in front of an amount; empty while none is on record."""
    odds: PayoutOdds | None = None
    """In effect; None while none are on record."""
    next_odds: PayoutOdds | None = None
    """Confirmed, and in effect from the next round on."""
    rules: HouseRules | None = None
    """In effect; None while none are on record."""
    next_rules: HouseRules | None = None
    """Confirmed, and in effect from the next round on."""
    file: FileTerms | None = None
    """What the table's file said when the floorperson last confirmed it, or at the first start."""
    wheel: str = ""
    """Serial number of the wheel, as the last start says; empty for none."""
    wrong_pins: int = 0
    """Consecutive wrong PINs: they delay the next identification."""
    wrong_log_ons: int = 0
    """Those of dealers: they delay the next log-on."""
    prompt: str = ""
    """The prompt that asks for digits which may be a PIN; empty if none is open."""

    @property
    def last_odds(self) -> PayoutOdds | None:
        return self.next_odds or self.odds

    @property
    def last_rules(self) -> HouseRules | None:
        return self.next_rules or self.rules

    def take(self, event: Event) -> "TableState":
        """The state after an event; the same object if the event does not concern it."""
        if isinstance(event, DealerLoggedOn):  # Who logs off has keyed no PIN.
            return replace(self, dealer=event.number, wrong_log_ons=0 if event.number else self.wrong_log_ons)
        if isinstance(event, IdentityRefused) and event.log_on:
            return replace(self, wrong_log_ons=event.failures)
        if isinstance(event, Identified | IdentityRefused):
            return replace(self, wrong_pins=event.failures if isinstance(event, IdentityRefused) else 0)
        if isinstance(event, PromptOpened | PromptClosed):
            return replace(self, prompt=event.prompt if isinstance(event, PromptOpened) else "")
        if isinstance(event, TableStarted | PowerRestored):
            return self._started(event.terms, event.wheel)
        if isinstance(event, OddsConfirmed):
            odds = PayoutOdds(event.odds)
            return replace(self, next_odds=None if odds == self.odds else odds)
        if isinstance(event, OddsInEffect):
            return replace(self, odds=PayoutOdds(event.odds), next_odds=None)
        if isinstance(event, RulesConfirmed):
            return replace(self, next_rules=None if event.rules == self.rules else event.rules)
        if isinstance(event, RulesInEffect):
            return replace(self, rules=event.rules, next_rules=None)
        return self._on_sign(event)

    def _on_sign(self, event: Event) -> "TableState":
        pending = self.pending
        if isinstance(event, LimitsInEffect):
            limits = Amounts(event.minimum, event.maximum, event.payout)
            return replace(self, limits=limits, currency=event.currency or self.currency, pending=None)
        if isinstance(event, LimitsAnnounced):
            announced = Amounts(event.minimum, event.maximum, event.payout)
            pending = AnnouncedLimits(announced, event.utc_ns, event.from_utc_ns, event.currency)
            return replace(self, pending=pending, file=self._file_of(event))
        if isinstance(event, LimitsWithdrawn):
            return replace(self, pending=None)
        if isinstance(event, LimitsNotice) and pending is not None:
            return replace(self, pending=replace(pending, lit_ns=event.lit_ns))
        return self

    def _started(self, terms: FileTerms | None, wheel: str) -> "TableState":
        """The file's terms count where the record has none: at the first start."""
        if terms is None:
            return self if self.wheel == wheel else replace(self, wheel=wheel)
        file, odds = self.file or replace(terms, house=None), self.odds or PayoutOdds(terms.odds)
        after = replace(self, file=file, odds=odds, rules=self.rules or terms.house, wheel=wheel)
        return self if after == self else after

    def _file_of(self, event: LimitsAnnounced) -> FileTerms | None:
        if not event.from_file or self.file is None:
            return self.file
        currency = event.currency or self.file.currency
        return replace(
            self.file, minimum=event.minimum, maximum=event.maximum, payout=event.payout, currency=currency
        )

    def snapshot(self) -> dict[str, object]:
        """The state as JSON values, for the journal."""
        data: dict[str, object] = _ADAPTER.dump_python(self, mode="json")
        return data


_ADAPTER = TypeAdapter(TableState)


def restored(snapshot: object) -> TableState:
    """The table state of a snapshot.

    Raises:
        ValueError: it is no snapshot, or a field, which the message names, is missing, unknown or of another type.
    """
    return read_back(_ADAPTER, snapshot, "standing")
