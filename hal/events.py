"""What crosses the hardware boundary, upwards: edges of sensor heads, keys, and switches.

Every event carries the kernel's time stamp (``CLOCK_MONOTONIC``, nanoseconds) of the moment it happened, not
of the moment it was read. Speeds and revolutions are computed from these stamps only.
"""

from collections.abc import Sequence

from hal.lazy_dataclass import dataclass

# The lines of sensor heads. In an EdgeBatch, an upper-case letter is a rising edge of the line, a lower-case
# letter a falling one, so that a batch prints as a logic analyser would show it: b"ABabAB".
ENCODER_A = "A"
ENCODER_B = "B"
INDEX = "Z"
CLAPPER = "C"
BALL_1 = "P"
BALL_2 = "Q"
"""The beams across the ball's track: high while the ball, or anything else, is in the beam."""
LINES = {
    "encoder_a": ENCODER_A,
    "encoder_b": ENCODER_B,
    "index": INDEX,
    "clapper": CLAPPER,
    "ball_1": BALL_1,
    "ball_2": BALL_2,
}
"""The lines of sensor heads, by the names that the configuration uses."""


@dataclass(frozen=True, slots=True)
class EdgeBatch:
    """Edges of one sensor head in the order in which the kernel saw them, as parallel arrays.

    An object per edge would cost more than decoding it: a single spin has some 6,500.
    """

    edges: bytes
    """One letter per edge: the line, upper case for rising and lower case for falling."""
    timestamps_ns: Sequence[int]
    """Kernel time of each edge, nanoseconds, never decreasing."""
    seqnos: Sequence[int]
    """Kernel sequence number of each edge over the whole head, from 1. A gap means that the kernel's buffer
    overflowed and edges were lost."""

    def __len__(self) -> int:
        return len(self.edges)

    def lost(self, expected: int | None) -> int:
        """Edges that the kernel's buffer lost in this batch, which has some, and before it.

        Args:
            expected: the number of its first edge if none was lost before; None if that is not known.
        """
        first, last = self.seqnos[0], self.seqnos[-1]
        return last + 1 - len(self.edges) - (first if expected is None else expected)


@dataclass(frozen=True, slots=True)
class KeyEvent:
    """A key or button that went down or came up."""

    control: str
    """The control's name, as in the configuration: ``no-more-bets``, ``5``, ``enter``."""
    pressed: bool
    timestamp_ns: int
    held: bool = False
    """It was down when listening began, or its keypad repeats what it sent: nobody pressed it now, and it may be
    stuck."""


@dataclass(frozen=True, slots=True)
class FaultEvent:
    """A device stopped working, or works again."""

    detail: str
    """The fault and its remedy, naming the device and its pin or port; empty once it works again."""
    timestamp_ns: int


@dataclass(frozen=True, slots=True)
class SwitchEvent:
    """A key switch or a contact that changed."""

    switch: str
    """The switch's name, as in the configuration: ``floor-key``, ``shaker-done``."""
    closed: bool
    timestamp_ns: int
    held: bool = False
    """It was closed when listening began: nobody turned it now."""


@dataclass(frozen=True, slots=True)
class ReaderEvent:
    """A wheel reader's report: the pocket in which the ball lies, or a fault."""

    pocket: str
    """The pocket's name as the reader sends it: ``17``, ``00``; empty if there is a fault."""
    timestamp_ns: int
    fault: str = ""
    """What is wrong, as text."""
