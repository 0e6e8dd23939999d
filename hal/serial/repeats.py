"""A keypad that repeats what a key sends while the key is down: the only sign of it on a line without releases."""

from hal.events import KeyEvent

REPEAT_NS = 125_000_000
"""Nobody goes on pressing a key with shorter pauses."""
SURE_NS = 1_000_000_000
"""What comes so fast for so long is the keypad's repetition, no hand's."""
ENDS_NS = 500_000_000
"""The key is up when nothing has come for so long: the table may have been busy meanwhile."""


class KeyRepeats:
    """What a keypad's codes say of its keys: presses, each with a release, or a key that is held down."""

    def __init__(self) -> None:
        self._control = ""
        self._began_ns = self._last_ns = 0
        self._held = False

    @property
    def due_ns(self) -> int | None:
        """When to call :meth:`tick` unless a code comes before."""
        return self._last_ns + ENDS_NS if self._held else None

    def code(self, control: str, at_ns: int) -> list[KeyEvent]:
        """A key's code has come."""
        goes_on = control == self._control and at_ns - self._last_ns <= (ENDS_NS if self._held else REPEAT_NS)
        events = [] if goes_on else self._up(at_ns)
        self._began_ns = self._began_ns if goes_on else at_ns
        self._control, self._last_ns = control, at_ns
        if self._held:
            return events
        if at_ns - self._began_ns >= SURE_NS:
            self._held = True
            return [KeyEvent(control, True, at_ns, held=True)]
        return [*events, KeyEvent(control, True, at_ns), KeyEvent(control, False, at_ns)]

    def tick(self, now_ns: int) -> list[KeyEvent]:
        """Time has passed: is the key up?"""
        return self._up(now_ns) if self.due_ns is not None and now_ns >= self.due_ns else []

    def _up(self, at_ns: int) -> list[KeyEvent]:
        held, self._held = self._held, False
        return [KeyEvent(self._control, False, at_ns)] if held else []
