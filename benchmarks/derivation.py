"""What it costs a floor to derive each round from its entries, beside reading the message and hashing them.

``python -m benchmarks.derivation --rounds 60`` plays rounds of every game, faults included, and takes each round's
message with and without the derivation, in turns, in one process; processor time, the median of the turns.
"""

import sys
import time
from argparse import ArgumentParser
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from benchmarks.floor_tables import LaterRig, Seat
from benchmarks.reporting_table import dealer_at
from controller.bench.oracle import Oracle
from controller.floor.ingest import validation
from controller.floor.ingest.validation import Accepted, Arrived, receive
from controller.messages.closed_round import RoundOpening
from controller.messages.models import RoundClosed, write
from controller.messages.topics import Topic, of_table
from controller.publishing.formatter import Formatter
from controller.statechart.registry import game_names
from hal.mock.clock import VirtualClock

LATER_NS = 4_000_000_000_000_000_000
TURNS = 7


def messages(game: str, rounds: int, folder: Path) -> list[RoundClosed]:
    """What the publisher makes of a table's rounds."""
    seat = Seat(1, f"{game}-1", game, 1, 0.0, folder, folder / "play")
    rig = LaterRig(seat, Oracle())
    dealer = dealer_at(rig, 1)
    while rig.table.machine.round < rounds:
        dealer.act()
    entries = list(rig.journal.entries())
    begin: RoundOpening | None = None
    formatter = Formatter(seat.config(), VirtualClock(), entries[0].hash, begin)
    made = [due.message for entry in entries for due in formatter.take(entry)]
    rig.table.stop()
    rig.journal.close()
    return [message for message in made if isinstance(message, RoundClosed)]


def took_ms(arrived: Sequence[Arrived]) -> float:
    """Processor time of a message, in milliseconds."""
    began = time.process_time()
    for one in arrived:
        found = receive(one)
        assert isinstance(found, Accepted), found
        assert not found.unproven
    return (time.process_time() - began) * 1000 / len(arrived)


def main(words: Sequence[str] | None = None) -> int:
    """Measure each game."""
    parser = ArgumentParser(prog="python -m benchmarks.derivation", description=__doc__)
    parser.add_argument("--rounds", type=int, default=60, metavar="N", help="of each game (default 60)")
    arguments = parser.parse_args(words)
    derived: Callable[..., str] = validation.difference  # type: ignore[attr-defined]
    print(f"{'game':22}{'entries':>8}{'kB':>7}{'without':>10}{'with':>9}  ms a round")
    for game in game_names():
        with TemporaryDirectory() as folder:
            made = messages(game, arguments.rounds, Path(folder))
        sent = [Arrived(of_table(one.table, Topic.ROUND), write(one), LATER_NS) for one in made]
        without, with_it = [], []
        for _ in range(TURNS):
            validation.difference = lambda message, entries: ""  # type: ignore[attr-defined]
            without.append(took_ms(sent))
            validation.difference = derived  # type: ignore[attr-defined]
            with_it.append(took_ms(sent))
        entries = sum(len(one.entries or ()) for one in made) / len(made)
        kilobytes = sum(len(one.payload) for one in sent) / len(sent) / 1000
        print(f"{game:22}{entries:8.1f}{kilobytes:7.1f}{median(without):10.2f}{median(with_it):9.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
