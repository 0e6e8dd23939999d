"""Asks the floorperson whether an offered update is installed. Pure: the caller reads folder and clock.

Between two rounds the key confirms the update, and ``clear`` drops it. Within a round both are the game's: the
screen says that the round comes first. What a turn of the key is for is decided when it is turned, by what the
screen says then: a PIN may take half a minute, and round and offer may change meanwhile.
"""

import logging
from collections.abc import Callable
from typing import Protocol

from controller.access.authentication import FLOOR_KEY
from controller.events.event import Event, FloorKeyTurned, Press, UpdateConfirmed, UpdateOffered
from controller.limits.round_progress import RoundProgress
from controller.limits.table_state import TableState
from controller.updating.folder import FROM_FLOOR, FolderState, Offer

log = logging.getLogger(__name__)

NS_PER_S = 1_000_000_000
PATIENCE_S = 600
"""A prompt that nobody answers is not shown any longer: a forgotten stick must not change what the key does."""
_NOTICE_SHOWN_NS = 20 * NS_PER_S
DROP_KEY = "clear"
_AGAIN = "to be asked again, take the stick out and put it in again, or give the command again"
_AGAIN_BY_FLOOR = "to be asked again, switch the table off and on, or have the floor offer it once more"


class PlayRecord(Protocol):
    """What is on record of a table's play."""

    @property
    def round_progress(self) -> RoundProgress:
        """Whether a round is in progress."""

    @property
    def is_closed(self) -> bool:
        """No round is open, and the floorperson has to open the table."""

    @property
    def table_state(self) -> TableState:
        """The table's recorded state."""


class ReadsClock(Protocol):
    """The table's clock."""

    def now_ns(self) -> int:
        """Monotonic time."""

    def utc_ns(self) -> int:
        """Wall time."""


def between_rounds(record: PlayRecord) -> bool:
    """Whether no round is played: wagers are open and nothing was keyed or thrown, or the table is closed."""
    return record.round_progress.idle or record.is_closed


class UpdatePrompt:
    """What is offered to one table, and what its floorperson is asked for.

    Args:
        hidden: whether the table asks for something else in the same place; the key is for that then.

    Attributes:
        look: reads the folder again, and calls :meth:`take`; set by who has the folder.
        offer: what is offered; None for nothing.
    """

    def __init__(self, record: PlayRecord, clock: ReadsClock, hidden: Callable[[], bool]) -> None:
        self.look: Callable[[], None] = lambda: None
        self.offer: Offer | None = None
        self._record = record
        self._clock = clock
        self._hidden = hidden
        self._since_ns: int | None = None
        """When it was first asked for; None if it is not asked for."""
        self._turned: Offer | None = None
        """The offer for which the key was turned last; None if it was turned for something else."""
        self._notice: tuple[int, str] = (0, "")

    # -- what is offered -------------------------------------------------------------------------------------

    def take(self, folder: FolderState) -> list[Event]:
        """What is new in the folder."""
        offer = _judged(folder)
        if offer == self.offer:
            self._expire()
            return []
        self.offer = offer
        self._since_ns = self._clock.now_ns() if offer is not None and not offer.problem else None
        shown = offer or Offer("", "", "")
        now_ns, utc_ns = self._clock.now_ns(), self._clock.utc_ns()
        return [UpdateOffered(now_ns, utc_ns, shown.version, shown.digest, shown.source, shown.problem)]

    def not_again(self, folder: FolderState) -> None:
        """What is offered was confirmed and has failed: it is on record, and nobody is asked again by itself."""
        self.offer, self._since_ns = _judged(folder), None

    def ask_again(self) -> str:
        """Ask anew for what is offered. Returns why that is not possible; empty if it is."""
        offer = self.offer
        if offer is None:
            return "no update is offered"
        if offer.problem:
            return offer.problem
        if self._record.table_state.update is not None:
            return "an update is confirmed already"
        self._since_ns, self._notice = self._clock.now_ns(), (0, "")
        return ""

    def _expire(self) -> None:
        if self._since_ns is not None and self._clock.now_ns() - self._since_ns >= PATIENCE_S * NS_PER_S:
            self._close(f"nobody turned the key within {PATIENCE_S} s; {self._again()}")

    def _again(self) -> str:
        by_floor = self.offer is not None and self.offer.source == FROM_FLOOR
        return _AGAIN_BY_FLOOR if by_floor else _AGAIN

    def _close(self, words: str) -> None:
        self._since_ns = None
        self._notice = self._clock.now_ns(), f"update: {words}"
        log.info("update: %s", words)

    # -- what is asked ---------------------------------------------------------------------------------------

    @property
    def asks(self) -> bool:
        """Whether the floorperson is asked, or will be after the round."""
        return self._since_ns is not None and self._record.table_state.update is None

    def prompt(self) -> str:
        """The prompt, or for a while its outcome; empty if there is neither."""
        if self._hidden():
            return ""
        if self.asks and self.offer is not None:
            what = f"update {self.offer.version} ({self.offer.source})"
            if between_rounds(self._record):
                return f"{what}: turn the floorperson's key to install it, which closes the table; or press clear"
            return f"{what}: finish the round first; then turn the floorperson's key to install it"
        at_ns, words = self._notice
        return words if words and self._clock.now_ns() - at_ns < _NOTICE_SHOWN_NS else ""

    def turned(self) -> None:
        """The floorperson's key is turned; who turned it may have to identify yet."""
        self._turned = self.offer if self._answers() else None

    def press(self, press: Press) -> list[Event]:
        """The events of a press, of the key once it is known who turned it."""
        if press.control == FLOOR_KEY:
            turned, self._turned = self._turned, None
            return [press] if turned is None else [self._confirmed(turned, press)]
        if press.control == DROP_KEY and self._answers():
            self._close(f"dropped at the table; {self._again()}")
            return []
        return [press]

    def _answers(self) -> bool:
        return self.asks and not self._hidden() and between_rounds(self._record)

    def _confirmed(self, turned: Offer, press: Press) -> Event:
        """The confirmation; if that is not possible any more, that the key was turned for nothing."""
        self.look()
        if self.offer != turned or not self.asks:
            self._notice = self._clock.now_ns(), "update: what is offered has changed: read, and turn the key again"
        elif not between_rounds(self._record):
            self._notice = self._clock.now_ns(), "update: a round has begun: finish it, then turn the key again"
        else:
            self._since_ns = None
            return UpdateConfirmed(press.at_ns, self._clock.utc_ns(), turned.version, turned.digest, press.by)
        log.warning("%s", self._notice[1])
        return FloorKeyTurned(press.at_ns, press.by)


def _judged(folder: FolderState) -> Offer | None:
    """What is offered; a version that runs already is none to install."""
    offer, running = folder.offer, folder.running
    if offer is None or offer.problem or running is None or offer.digest != running.digest:
        return offer
    problem = f"it runs already, in slot {running.slot}: nothing is to be done"
    return Offer(offer.version, offer.digest, offer.source, problem)
