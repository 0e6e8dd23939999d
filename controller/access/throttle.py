"""Guesses are slowed, by time and never for good: each wrong one makes the next wait longer, up to a limit.

There are as many counters as the table has, whoever guesses: keys are hashed with a secret into them, so that the
memory is bounded, nobody can push out a counter, and a name that exists is treated like one that does not.
"""

import hashlib
import secrets
from dataclasses import dataclass

_NS_PER_S = 1_000_000_000
COUNTERS = 4096


@dataclass(slots=True)
class _Counter:
    wrong: int = 0
    last_ns: int = 0


class Throttle:
    """Counts wrong guesses by key.

    Args:
        free: how many wrong guesses cost no waiting.
        first_s: how long the first one after those costs; each further one twice as much.
        most_s: the longest wait. After ten times as long without a guess the counter is forgotten.
    """

    def __init__(self, free: int, first_s: float, most_s: float) -> None:
        self._free, self._first_ns, self._most_ns = free, int(first_s * _NS_PER_S), int(most_s * _NS_PER_S)
        self._secret = secrets.token_bytes(16)
        self._counters = [_Counter() for _ in range(COUNTERS)]

    def wait_ns(self, key: str, now_ns: int) -> int:
        """How long the next guess of this key has to wait; 0 for not at all."""
        counter = self._of(key, now_ns)
        over = counter.wrong - self._free
        if over < 0:
            return 0
        delay_ns = min(self._first_ns << min(over, 32), self._most_ns)
        return max(0, counter.last_ns + delay_ns - now_ns)

    def guessed(self, key: str, now_ns: int) -> None:
        """Count a guess, before it is known whether it is right: guesses at the same time count, too."""
        counter = self._of(key, now_ns)
        counter.wrong += 1
        counter.last_ns = now_ns

    def right(self, key: str, now_ns: int) -> None:
        """The last guess was right."""
        self._of(key, now_ns).wrong = 0

    def _of(self, key: str, now_ns: int) -> _Counter:
        hashed = hashlib.blake2b(key.encode("utf-8", "surrogatepass"), key=self._secret, digest_size=4).digest()
        counter = self._counters[int.from_bytes(hashed) % COUNTERS]
        if counter.wrong and now_ns - counter.last_ns >= 10 * self._most_ns:
            counter.wrong = 0
        return counter


def seconds(wait_ns: int) -> int:
    """A wait in whole seconds, rounded up, as people are told."""
    return -(-wait_ns // _NS_PER_S)
