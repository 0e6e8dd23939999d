"""The bench's part of a page: the state of the simulated hardware, as plain data for JSON, and the acts at it.

Independent of the server.
"""

from collections import deque

from controller.bench import documents
from controller.bench.keys import BenchKeys, Binding
from controller.bench.live import LiveBench
from controller.bench.signals import SignalWindow
from controller.bench.web.acts import Acts
from controller.bench.web.wheel_documents import true_wheel, turn_of, wheel_build
from controller.events.words import Words
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError
from controller.journal.record import RecordedDecision, of_entry, record_line
from controller.machine.game import in_words
from controller.runtime.table import Table
from hal.mock.rotor import MockRotorHead
from hal.mock.wheel import MockHead
from hal.mock.world import BREAKAGES

LOG, ENTRIES = 60, 30
"""Lines of the log and entries of the journal in a picture."""


class WebBench:
    """A bench for its page.

    Args:
        bench: with its table started.
    """

    def __init__(self, bench: LiveBench) -> None:
        self._bench = bench
        self._keyboard = BenchKeys(bench, bench.bench.keys if bench.bench else ())
        self._hints = [_hint(binding) for binding in self._keyboard.bindings]
        self._signals = SignalWindow(bench.watch.start_ns)
        self._in_words = in_words(bench.game, bench.config.rules)
        self._entries: deque[documents.EntryLine] = deque(maxlen=ENTRIES)
        for entry in bench.journal.entries(after=len(bench.journal) - ENTRIES):
            self._entries.append(_entry(entry, self._in_words(_words(entry, bench.words))))
        self.act = Acts(bench, self._keyboard)
        """Carries out a request of the page."""
        bench.starting.append(self._listen)
        self._listen(bench.table)

    def _listen(self, table: Table) -> None:
        table.listeners.append(self._on_decision)
        table.head.listeners.append(self._signals)
        table.head.level_listeners.append(self._signals.read)
        if table.devices.head is not None:
            self._signals.restart(table.devices.head.levels(), self._bench.clock.now_ns())

    def _on_decision(self, recorded: RecordedDecision) -> None:
        self._entries.append(
            _entry(recorded.entry, self._in_words(record_line(recorded.record, self._bench.words)))
        )

    @property
    def powered(self) -> bool:
        """Whether the table's computer runs."""
        return self._bench.powered

    # -- the picture -----------------------------------------------------------------------------------------

    def picture(self) -> documents.Bench:
        """Everything that the page shows in addition to the dealer's screen, as data for JSON."""
        bench = self._bench
        bench.poll()
        burning = bench.world.panel.lit()
        return {
            "powered": bench.powered,
            "seconds": _seconds(bench.clock.now_ns() - bench.watch.start_ns),
            "notice": self._keyboard.notice,
            "faults": list(bench.faults),
            "burning": [area for area in bench.world.panel.areas if area in burning],
            "true": self._wheel(),
            "wheel": self._build(),
            "rotor": self._rotor(),
            "lines": self._lines(),
            "signals": self._window(),
            "hints": self._hints,
            "guide": bench.guide,
            "inspection": bench.inspection_due,
            "menu": self._keyboard.menu,
            "log": [
                {"s": _seconds(line.at_ns), "text": self._in_words(line.text), "tone": line.tone.value}
                for line in list(bench.watch.log)[-LOG:]
            ],
            "entries": list(self._entries),
        }

    def breakages(self) -> list[documents.InjectableFault]:
        """The faults that this table can have, each with the lines, lamps or keys that can have it."""
        return [
            {
                "fault": item.fault,
                "label": item.label,
                "targets": list(item.targets(self._bench.world)),
                "amount": item.amount,
            }
            for item in BREAKAGES
            if item.offered(self._bench.world)
        ]

    def _wheel(self) -> documents.TrueWheel | None:
        head = self._bench.world.head
        return true_wheel(head, self._bench.game.wheel) if isinstance(head, MockHead) else None

    def _build(self) -> documents.WheelBuild | None:
        head, workshop = self._bench.world.head, self._bench.workshop
        if not isinstance(head, MockHead):
            return None
        progress = workshop.progress
        return wheel_build(head, progress.words if progress else "", progress.done if progress else 0.0)

    def _rotor(self) -> documents.TrueRotor | None:
        """The true angles of the first pocket's start and of the ball, counterclockwise from ball_1."""
        head = self._bench.world.head
        if not isinstance(head, MockRotorHead):
            return None
        ball = head.ball_angle
        return {
            "angle": turn_of(head.x),
            "ball": None if ball is None else turn_of(ball),
            "pocket": head.ball.pocket if head.ball is not None else "",
        }

    def _lines(self) -> list[documents.LineLevel]:
        head, now_ns = self._bench.world.head, self._bench.clock.now_ns()
        if head is None:
            return []
        levels = head.lines.levels()
        return [
            {"line": line, "level": levels[head.lines.letter_of(line)], "rate": self._signals.rate(line, now_ns)}
            for line in head.lines.names
        ]

    def _window(self) -> documents.Signals | None:
        if self._bench.powered:
            self._signals.advance(self._bench.clock.now_ns())
        return self._signals.document()


# -- parts of the picture ------------------------------------------------------------------------------------------


def _hint(binding: Binding) -> documents.KeyHint:
    """A key and its action; ``shift`` if its capital has an action too."""
    return {
        "key": binding.key,
        "shift": binding.capital is not None,
        "long": binding.words,
        "control": binding.control,
    }


def _entry(entry: Entry, words: str) -> documents.EntryLine:
    return {"seq": entry.seq, "round": entry.round, "kind": entry.kind, "words": words}


def _words(entry: Entry, words: Words) -> str:
    try:
        return record_line(of_entry(entry), words)
    except JournalDamagedError as error:
        return str(error)


def _seconds(time_ns: int) -> float:
    return round(time_ns / 1e9, 1)
