"""Edges that the kernel lost, by their sequence numbers, and stamps that run backwards."""

from collections.abc import Sequence

from controller.events.event import Fault, Health
from hal.events import EdgeBatch


class EdgeNumbers:
    """The sequence number and the stamp of the last edge."""

    def __init__(self) -> None:
        self.next_seqno: int | None = None
        """The number that the next edge should have; None before the first."""
        self.last_ns = 0
        """The stamp of the last edge."""

    def check(self, batch: EdgeBatch) -> Sequence[tuple[Fault, int]]:
        """What is wrong since the batch before, or within this one, each with how many edges were lost."""
        seqnos, stamps = batch.seqnos, batch.timestamps_ns
        first, last, from_ns, to_ns = seqnos[0], seqnos[-1], stamps[0], stamps[-1]
        lost = last - first + 1 - len(seqnos)
        if self.next_seqno is not None:
            lost += first - self.next_seqno
        backwards = not self.last_ns <= from_ns <= to_ns
        self.next_seqno, self.last_ns = last + 1, to_ns
        if not lost and not backwards:
            return ()
        found = []
        if lost:
            found.append((Fault("encoder", Health.LOSSY, f"{lost} edges lost in the kernel's buffer"), lost))
        if backwards:
            found.append((Fault("encoder", Health.NOISY, "time stamps run backwards"), 0))
        return found
