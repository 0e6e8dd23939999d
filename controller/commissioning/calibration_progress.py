"""Two turns of a wheel by hand: what ``calibrate`` says while they are made."""

from collections.abc import Iterator, Sequence
from statistics import median

from config.problems import counted
from controller.commissioning.wheel_measurement import SLOW_DEG_S
from controller.commissioning.wheel_recording import WheelRecording
from controller.commissioning.wheel_turn import strikes_of

WAYS = {1: "counterclockwise", -1: "clockwise"}
_TURNS = 2
_SLACK_SECTIONS = 1.5


class TurnProgress:
    """Turns in one direction. :meth:`update` is to be called whenever edges came.

    Args:
        direction: which is asked for: +1 counterclockwise, -1 clockwise.
        since: the number of the encoder's edges that came before.
        debounce_ns: how long the contact may chatter.
    """

    def __init__(
        self,
        recording: WheelRecording,
        direction: int,
        counts_per_turn: int,
        sections: int,
        debounce_ns: int,
        since: int,
    ) -> None:
        self._recording = recording
        self._direction = direction
        self._turn = counts_per_turn
        self._slack = round(_SLACK_SECTIONS * counts_per_turn / sections)
        self._debounce_ns = debounce_ns
        self._since = since
        self._runs = 0
        self._turns = 0
        self._begun_ns = recording.end_ns
        self._index_edges = self._index()
        self._index_said = False
        self.done = False
        """The turns are made."""
        self.backwards = False
        """Half a turn or more was made the other way, and nothing as it was asked."""

    def update(self) -> Iterator[str]:
        """What is to be said of the edges that came."""
        runs = self._recording.runs(self._slack, self._since)
        if self.done or not runs:
            return
        begun = [way for way, _ in runs[: self._runs]]
        for way, _ in runs[self._runs :]:
            if way != self._direction and self._direction in begun and self._whole(runs) < _TURNS:
                yield f"turned back: go on one way, {WAYS[self._direction]}; the turns begin anew"
            if begun:
                self._turns, self._begun_ns = 0, self._recording.end_ns
            begun.append(way)
        self._runs = len(runs)
        self.backwards = self._direction not in begun and 2 * runs[-1][1] >= self._turn
        if not self._index_said and self._index() > self._index_edges:
            self._index_said = True
            yield "index seen"
        whole = self._whole(runs)
        if whole > self._turns:
            yield self._turns_made(whole)
        self.done = whole >= _TURNS

    def _whole(self, runs: Sequence[tuple[int, int]]) -> int:
        """Whole turns of the last run, if it is as it was asked; or of one before that did all of them."""
        made = [counts // self._turn if way == self._direction else 0 for way, counts in runs]
        return max(made) if max(made) >= _TURNS else made[-1]

    def _turns_made(self, whole: int) -> str:
        """The turns that were made; and what is wrong with them."""
        self._turns = whole
        since = self._begun_ns
        strikes = [edge for edge in strikes_of(self._recording, self._debounce_ns) if edge.at_ns > since]
        text = f"{counted(whole, 'turn')} {WAYS[self._direction]}, {counted(len(strikes), 'peg')}"
        if not self._index_said:
            text += "; the index was not seen: look at its line"
        speeds_deg_s = [edge.speed * 360 / self._turn for edge in strikes]
        return (
            f"{text}; more slowly: five seconds a turn" if strikes and median(speeds_deg_s) > SLOW_DEG_S else text
        )

    def _index(self) -> int:
        return sum(1 for _ in self._recording.index())
