"""What a run of :mod:`benchmarks.floor` is to be."""

from dataclasses import dataclass
from pathlib import Path

from benchmarks.floor_tables import Seat
from controller.configuration.shipped import shipped_tables

PATIENCE_S = 60.0
"""For a process to begin, or to end."""
PROCESSES = 2
"""Of tables."""
FILES, MOST_TABLES = 12, 1500
"""That a process has open for each table; and the tables of one process, where 20,000 files may be open."""
WORKER_DOWN_S = 12.0
DOWN_S, LEAST_DOWN_S = 20.0, 2.0
"""For how long broker and floor are gone, of a run in real time; and at the least, however fast it is."""
GAMES = tuple(sorted(shipped_tables()))


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be run.

    Attributes:
        minutes: of the tables' time.
        speed: how many times faster than real time they are.
        postgresql: whether the store is that, or else SQLite.
        workers: how many share it; 0 for a floor of one process.
    """

    tables: int
    minutes: float
    seed: int = 1
    speed: float = 1.0
    postgresql: bool = False
    workers: int = 0

    @property
    def seconds(self) -> float:
        """Of real time, without what there is to catch up."""
        return self.minutes * 60 / self.speed

    @property
    def down_s(self) -> float:
        """For how long broker and floor are gone; of a worker long enough for the others to take its tables."""
        return max(WORKER_DOWN_S if self.workers else LEAST_DOWN_S, DOWN_S / max(1.0, self.speed))

    @property
    def patience_s(self) -> float:
        """For processes to begin, to connect, or to end: ten thousand tables take longer."""
        return PATIENCE_S + self.tables / 10

    @property
    def hosts(self) -> int:
        """Processes of tables: two, or as many as may have their files open."""
        return max(PROCESSES, -(-self.tables // MOST_TABLES))

    def seats(self, folder: Path, plays: Path) -> list[Seat]:
        """The tables, their games in turn."""
        return [self._seat(number, folder, plays) for number in range(self.tables)]

    def _seat(self, number: int, folder: Path, plays: Path) -> Seat:
        game = GAMES[number % len(GAMES)]
        file = plays / f"{number}.jsonl"
        return Seat(
            number, f"{game}-{number}", game, self.seed * 1_000_003 + number, self.minutes * 60, folder, file
        )
