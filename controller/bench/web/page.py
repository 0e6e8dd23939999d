"""The bench's part of a page: the state of the simulated hardware, and the actions at it.

Independent of the server. The picture is plain data for JSON; an act is a request of the page. Anybody who reaches
the page can send anything, so an act is validated completely before it is carried out.
"""

from collections import deque
from collections.abc import Callable, Mapping

from controller.bench import documents
from controller.bench.fault_menu import FAULTS_KEY, offered, targets
from controller.bench.keys import NAMED, BenchKeys, Binding
from controller.bench.live import LiveBench
from controller.bench.rates import EdgeRates
from controller.bench.registry import bench_of
from controller.bench.signals import SignalWindow
from controller.bench.web.request_validation import amount_of, is_true, kind_of, one_of, quoted, target_of, turns_of
from controller.bench.web.wheel_acts import WheelActs
from controller.bench.web.wheel_documents import true_wheel, turn_of, wheel_build
from controller.events.words import Words
from controller.journal.chain import Entry
from controller.journal.errors import JournalDamagedError
from controller.journal.record import RecordedDecision, of_entry
from controller.journal.text import record_line
from controller.machine.game_words import in_words
from controller.runtime.table import Table
from hal.mock.edges import MockHead
from hal.mock.rotor import MockRotorHead

LOG, ENTRIES = 60, 30
"""Lines of the log and entries of the journal in a picture."""
THROW_TURNS, BALL_TURNS = (0.2, 12.0), (0.5, 15.0)
"""The weakest and the strongest throw of a wheel, and of a ball, in turns."""
_BESIDE = {"fault": ("target", "amount")}
"""The further keys of an act."""


class WebBench:
    """A bench for its page.

    Args:
        bench: with its table started.
    """

    def __init__(self, bench: LiveBench) -> None:
        self._bench = bench
        self._people = people = bench_of(bench.game)
        self._keyboard = BenchKeys(bench, (*(people.keys if people else ()), FAULTS_KEY))
        self._hints = [_hint(binding) for binding in self._keyboard.bindings]
        self._rates = EdgeRates()
        self._signals = SignalWindow(bench.watch.start_ns)
        self._in_words = in_words(bench.game, bench.config.rules)
        self._entries: deque[documents.EntryLine] = deque(maxlen=ENTRIES)
        for entry in bench.journal.entries(after=len(bench.journal) - ENTRIES):
            self._entries.append(_entry(entry, self._in_words(_words(entry, bench.words))))
        self._acts: dict[str, Callable[[Mapping[str, object]], None]] = {
            "key": self._key,
            "press": self._press,
            "throw": self._throw,
            "ball": self._ball,
            "fault": self._fault,
            "repair": self._repair,
            "cut": self._cut,
        }
        wheel_acts = WheelActs(bench)
        self._acts |= wheel_acts.acts
        self._beside = {**_BESIDE, **wheel_acts.beside}
        bench.starting.append(self._listen)
        self._listen(bench.table)

    def _listen(self, table: Table) -> None:
        table.listeners.append(self._hear)
        table.head.listeners.extend((self._rates, self._signals))
        table.head.level_listeners.append(self._signals.read)
        if table.devices.head is not None:
            self._signals.restart(table.devices.head.levels(), self._bench.clock.now_ns())

    def _hear(self, recorded: RecordedDecision) -> None:
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
            "guide": self._guided(),
            "menu": self._keyboard.menu,
            "log": [
                {"s": _seconds(line.at_ns), "text": self._in_words(line.text), "tone": line.tone.value}
                for line in list(bench.watch.log)[-LOG:]
            ],
            "entries": list(self._entries),
        }

    def _guided(self) -> documents.GuideLine | None:
        step = self._people.next_step(self._bench) if self._people is not None and self._bench.powered else None
        return None if step is None else {"words": step.words, "control": step.control, "key": step.key}

    def breakages(self) -> list[documents.InjectableFault]:
        """The faults that this table can have, each with the lines, lamps or keys that can have it."""
        return [
            {
                "fault": item.fault,
                "label": item.label,
                "targets": list(targets(item, self._bench)),
                "amount": item.amount,
            }
            for item in offered(self._bench)
        ]

    def _wheel(self) -> documents.TrueWheel | None:
        head = self._bench.world.head
        return true_wheel(head, self._bench.game.wheel) if isinstance(head, MockHead) else None

    def _build(self) -> documents.WheelBuild | None:
        head, workshop = self._bench.world.head, self._bench.workshop
        if not isinstance(head, MockHead):
            return None
        progress = workshop.progress
        return wheel_build(
            head, workshop.name, progress.words if progress else "", progress.done if progress else 0.0
        )

    def _rotor(self) -> documents.TrueRotor | None:
        """The true angles of the first pocket's start and of the ball, counterclockwise from ball_1."""
        head = self._bench.world.head
        if not isinstance(head, MockRotorHead):
            return None
        ball = head.ball_angle
        return {
            "angle": turn_of(head.rotor_angle),
            "ball": None if ball is None else turn_of(ball),
            "pocket": head.ball.pocket if head.ball is not None else "",
        }

    def _lines(self) -> list[documents.LineLevel]:
        head, now_ns = self._bench.world.head, self._bench.clock.now_ns()
        if head is None:
            return []
        levels = head.lines.levels()
        return [
            {"line": line, "level": levels[head.lines.letter_of(line)], "rate": self._rates.rate(line, now_ns)}
            for line in head.lines.names
        ]

    def _window(self) -> documents.Signals | None:
        if self._bench.powered:
            self._signals.advance(self._bench.clock.now_ns())
        return self._signals.document()

    # -- acts ------------------------------------------------------------------------------------------------

    def act(self, body: object) -> None:
        """Carry out a request of the page.

        Args:
            body: the parsed request: a mapping with one of the keys ``key`` (of the bench's
                keyboard), ``press`` (a control), ``throw`` and ``ball`` (turns, negative the other way),
                ``fault`` with ``target`` and ``amount``, ``repair`` and ``cut`` (true), or one of
                :class:`~controller.bench.web.wheel_acts.WheelActs`.

        Raises:
            ValueError: it is not an act of this table; the message says what is allowed. Nothing was done.
        """
        if not isinstance(body, Mapping):
            raise ValueError(
                f"an act is an object with one of the keys {', '.join(self._acts)}, not {kind_of(body)}"
            )
        given = [name for name in self._acts if name in body]
        if len(given) != 1:
            raise ValueError(f"an act has exactly one of the keys {', '.join(self._acts)}")
        name = given[0]
        allowed = (name, *self._beside.get(name, ()))
        for key in body:
            if key not in allowed:
                raise ValueError(f"unknown key {quoted(key)}; with '{name}' go only: {', '.join(allowed)}")
        self._acts[name](body)

    def _key(self, body: Mapping[str, object]) -> None:
        key = body["key"]
        if not isinstance(key, str) or (len(key) != 1 and key not in NAMED):
            raise ValueError(f"'key' is one character or one of {', '.join(NAMED)}, not {quoted(key)}")
        self._keyboard.press(key)

    def _press(self, body: Mapping[str, object]) -> None:
        self._bench.press(one_of(self._bench.controls, body["press"], "control"))

    def _throw(self, body: Mapping[str, object]) -> None:
        if not isinstance(self._bench.world.head, MockHead):
            raise ValueError("this table has no wheel with a clapper that could be thrown")
        self._bench.throw_about(turns_of(body["throw"], THROW_TURNS, "throw"))

    def _ball(self, body: Mapping[str, object]) -> None:
        if not isinstance(self._bench.world.head, MockRotorHead):
            raise ValueError("this table has no ball that could be thrown")
        turns = turns_of(body["ball"], BALL_TURNS, "ball")
        words = f"throw{' with the rotor' if turns < 0 else ''} for {abs(turns):.3g} turns"
        self._bench.throw_ball(words, abs(turns), with_rotor=turns < 0)

    def _fault(self, body: Mapping[str, object]) -> None:
        faults = {item.fault: item for item in offered(self._bench)}
        item = faults[one_of(tuple(faults), body["fault"], "fault")]
        target = target_of(item, targets(item, self._bench), body.get("target", ""))
        self._bench.break_(item.fault, target, amount_of(item, body.get("amount", item.amount)))

    def _repair(self, body: Mapping[str, object]) -> None:
        is_true(body, "repair")
        self._bench.repair()

    def _cut(self, body: Mapping[str, object]) -> None:
        is_true(body, "cut")
        self._bench.power_cut()


# -- parts of the picture ------------------------------------------------------------------------------------------


def _hint(binding: Binding) -> documents.KeyHint:
    """A key and its action; ``shift`` if its capital has an action too."""
    return {
        "key": binding.key,
        "shift": binding.capital is not None,
        "short": binding.short,
        "long": binding.long,
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
