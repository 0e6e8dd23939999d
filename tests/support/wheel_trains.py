"""Trains of edges that move a chip's lines as the sensors of a wheel do.

A line of a train is ``MICROSECONDS LINE LEVEL``; ``tests/system/kernel/guest/drive.c`` drives it in real time.
"""

from collections.abc import Callable

from config.schema import TableConfig
from controller.bench.rig import Rig
from hal.events import LINES, EdgeBatch

HEAD = {"encoder_a": 17, "encoder_b": 27, "index": 22, "clapper": 23}
PIN_OF_LETTER = {LINES[name]: pin for name, pin in HEAD.items()}

Move = tuple[int, str, bool]
"""When a line moves, in microseconds from the start of a train; its letter; whether it goes high."""
Break = Callable[[list[Move]], list[Move]]
"""What a broken sensor makes of the moves of one in order."""


class WheelTrains:
    """The simulated wheel, as a maker of trains: what its sensors would do to the head's lines.

    Args:
        config: the table's configuration, whatever its backends.
    """

    def __init__(self, config: TableConfig) -> None:
        # An emulated machine that is held up stretches time, and a contact's chatter is distinguished from strikes
        # by time.
        self._rig = Rig(config, options={"chatter_part": 0.0}, slice_ns=10_000_000)
        head = self._rig.table.devices.head
        assert head is not None
        self._head = head
        self._moves: list[Move] = []
        self._rig.table.head.listeners.append(self._on_edges)

    def rest_train(self) -> str:
        """A train that brings the lines to where the wheel's sensors hold them now."""
        return "".join(f"0 {PIN_OF_LETTER[letter]} {high:d}\n" for letter, high in self._head.levels().items())

    def turn(self, revolutions: float) -> str:
        """Turned by hand."""
        self._rig.turn(revolutions, seconds=6)
        return self._train()

    def spin(self, revolutions: float, section: str, breaks: Break = lambda moves: moves) -> str:
        """Thrown, to stand on the first section of a name; with sensors that break."""
        self._rig.spin(revolutions, stop_on=section)
        return self._train(breaks)

    def _on_edges(self, batch: EdgeBatch) -> None:
        for letter, at_ns in zip(batch.edges.decode(), batch.timestamps_ns, strict=True):
            self._moves.append((at_ns // 1000, letter.upper(), letter.isupper()))

    def _train(self, breaks: Break = lambda moves: moves) -> str:
        moves, self._moves = self._moves, []
        first_us = moves[0][0]
        moves = breaks([(at_us - first_us, letter, high) for at_us, letter, high in moves])
        return "".join(f"{at_us} {PIN_OF_LETTER[letter]} {high:d}\n" for at_us, letter, high in moves)
