"""A dealer's key to the lamps: a Sic Bo table on a serial keypad and Modbus lamps, decided, recorded and sent."""

import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.cost.instructions import say
from benchmarks.latency import MODULE, Stopwatch, WiredTable, timed_round

ROUNDS = 40


class CountingStopwatch(Stopwatch):
    """Counts what the table's thread takes from the key to the lamps; the modules have a thread of their own."""

    def __init__(self, table: WiredTable) -> None:
        super().__init__(table)
        self.taken: list[int] = []

    def start(self) -> None:
        self._before_ns = time.thread_time_ns()
        super().start()

    async def stopped(self):  # type: ignore[no-untyped-def]
        took = await super().stopped()
        self.taken.append(time.thread_time_ns() - self._before_ns)
        return took


def main() -> int:
    with TemporaryDirectory() as folder:
        table = WiredTable(Path(folder), MODULE)
        try:
            table.open()
            watch = CountingStopwatch(table)
            for _ in range(ROUNDS):
                timed_round(table, watch)
            say("key-to-its-lamps", median(watch.taken))
        finally:
            table.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
