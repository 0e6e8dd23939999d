"""A listener that keeps what a screen shows: the last results, the log, the wheel's last movement."""

from collections import deque
from dataclasses import dataclass, replace

from controller.bench.terminal.log_lines import EventLine, LineTone, lines
from controller.events.effect import Light, Result
from controller.events.event import Direction, RevolutionCompleted, WheelRested, WheelThrown
from controller.journal.record import RecordedDecision

RESULTS = 12
LOG = 200


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log with its time."""

    at_ns: int
    """Since the start of the history."""
    text: str
    tone: LineTone


@dataclass(frozen=True, slots=True)
class ListedResult:
    """A result as the list of results shows it."""

    round: int
    label: str
    pays: str


class BenchHistory:
    """A listener of one table, also across restarts.

    Args:
        start_ns: the monotonic time that the log calls 0:00.
    """

    def __init__(self, start_ns: int = 0) -> None:
        self.start_ns = start_ns
        self.results: deque[ListedResult] = deque(maxlen=RESULTS)
        self.log: deque[LogLine] = deque(maxlen=LOG)
        self.turning: Direction | None = None
        """The wheel's direction, as the table measures it; None if unknown or at rest."""
        self.rested: WheelRested | None = None
        """The last movement of more than half a turn, once it has ended."""
        self.pays: dict[str, str] = {}
        """What each area of the last result pays, multipliers included."""
        self._thrown = False

    def __call__(self, recorded: RecordedDecision) -> None:
        """Take a recorded decision; the table calls this."""
        event = recorded.record.event
        if isinstance(event, WheelThrown | RevolutionCompleted):
            self.turning, self._thrown = event.direction, True
        elif isinstance(event, WheelRested):
            if self._thrown:
                self.rested = event
            self.turning, self._thrown = None, False
        for effect in recorded.record.effects:
            if isinstance(effect, Result):
                self._result(recorded.entry.round, effect)
        # The screen itself shows the lamps and the movement of the wheel.
        for line in lines(recorded, without=(Light, WheelThrown), brief=True):
            self.say(event.at_ns, line)

    def say(self, at_ns: int, line: EventLine) -> None:
        """Write a line into the log."""
        self.log.append(LogLine(at_ns - self.start_ns, line.text, line.tone))

    def say_key(self, at_ns: int, words: str) -> None:
        """Write a key press into the log; consecutive digits share a line."""
        before = self.log[-1] if self.log else None
        if before is not None and before.tone is LineTone.PEOPLE and words.isdigit() and before.text[-1].isdigit():
            self.log[-1] = replace(before, text=f"{before.text} {words}")
        else:
            self.say(at_ns, EventLine(f"> {words}", LineTone.PEOPLE))

    def _result(self, number: int, result: Result) -> None:
        self.pays = {win.area: win.pays for win in result.wins}
        # A corrected result replaces the one before it.
        if self.results and self.results[-1].round == number:
            self.results.pop()
        best = result.wins[0].pays if len(result.wins) == 1 else f"{len(result.wins)} areas"
        self.results.append(ListedResult(number, result.label, best))
