"""What the floor's store must hold after any messages of one record: found by looking at each entry by itself."""

from collections.abc import Iterable
from dataclasses import dataclass, field

from controller.journal.chain import GENESIS
from controller.messages.models import RoundClosed


@dataclass
class Model:
    """One record of one table, entry by entry."""

    stored: list[RoundClosed] = field(default_factory=list)
    disputed: set[tuple[int, str]] = field(default_factory=set)
    covered: set[int] = field(default_factory=set)
    hashes: dict[int, str] = field(default_factory=lambda: {0: GENESIS})

    def take(self, messages: Iterable[RoundClosed]) -> None:
        for message in messages:
            self._take(message)

    def _take(self, message: RoundClosed) -> None:
        ends = [(one.seq, one.hash) for one in self.stored]
        if (message.seq, message.hash) in ends:
            return
        before = (message.first - 1, message.previous)
        wrong = bool(self.covered & set(range(message.first, message.seq + 1)))
        wrong |= self.hashes.get(message.seq, message.hash) != message.hash
        if before[0] in [seq for seq, _ in ends]:
            wrong |= before not in ends
        else:
            wrong |= before in self.disputed
        if wrong:
            self.disputed.add((message.seq, message.hash))
            return
        self.stored.append(message)
        self.covered |= set(range(message.first, message.seq + 1))
        self.hashes[message.first - 1] = message.previous
        self.hashes[message.seq] = message.hash

    @property
    def complete(self) -> int:
        """The last entry before the first that is missing."""
        return next(n for n in range(len(self.covered) + 1) if n + 1 not in self.covered)

    @property
    def missing(self) -> set[int]:
        """The entries that are missing before others that are here."""
        return set(range(1, max(self.covered, default=0))) - self.covered
