"""What an export costs: ``python -m benchmarks.exports [--rounds N ...] [--postgres]``.

For each number a store with so many rounds is made, and ``floor --export rounds`` writes all of them in each
format, in a process of its own. Its peak memory must not grow with the number of rounds.
"""

import subprocess
import sys
import time
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import duckdb
from sqlalchemy import create_engine

from controller.floor.exports.export_file import FORMATS
from controller.floor.store import schema

# The store is filled by what fills that of the tests.
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from postgres_server import Postgres
from servers import running
from stored_floor import empty, fill, insert

TABLES = 100
GROWTH = 1.25
"""The most that the peak may be with the largest number of rounds, against the smallest."""
_FILE = """\
floor: hall
broker: {{host: localhost, ca: ca, certificate: crt, key: key}}
store: {{url: "{url}"}}
"""

# What wait4(2) says of a process may be its parent's, from before it began; this is its own. See proc(5).
_PEAK = """\
import sys
from controller.commands.cli import main
code = main(sys.argv[1:])
print(next(line for line in open("/proc/self/status") if line.startswith("VmHWM")))
sys.exit(code)
"""


class Written(NamedTuple):
    """What a file cost: seconds, and megabytes of peak memory and of the file."""

    took_s: float
    peak_mb: float
    file_mb: float


@contextmanager
def filled_store(folder: Path, rounds: int, postgres: bool) -> Iterator[str]:
    """The URL of a store with so many rounds."""
    if not postgres:
        engine = empty(folder)
        fill(engine, TABLES, rounds // TABLES)
        engine.dispose()
        yield str(engine.url)
        return
    cluster = Postgres(folder / "postgres")
    with running(cluster):
        url = cluster.fresh()
        engine = create_engine(url)
        schema.metadata.create_all(engine)
        insert(engine, {"about": [{"key": "version", "value": str(schema.VERSION)}]})
        fill(engine, TABLES, rounds // TABLES)
        engine.dispose()
        yield url


def export(folder: Path, url: str, format_: str) -> Written:
    """Write all rounds by the command."""
    (folder / "floor.yaml").write_text(_FILE.format(url=url))
    out = folder / f"rounds.{format_}"
    words = ["floor", str(folder / "floor.yaml"), "--export", "rounds", "--out", str(out), "--overwrite"]
    words += ["--from", "2000-01-01", "--to", "2100-01-01"]
    begun = time.perf_counter()
    done = subprocess.run([sys.executable, "-c", _PEAK, *words], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"the export ended with {done.returncode}: {done.stderr}")
    peak_kb = int(done.stdout.split()[-2])
    return Written(time.perf_counter() - begun, peak_kb / 1000, out.stat().st_size / 1e6)


def rows_in(file: Path) -> int:
    """How many rows DuckDB finds in it."""
    with duckdb.connect() as connection:
        (count,) = connection.execute(f"SELECT count(*) FROM '{file}'").fetchall()[0]
    return int(count)


def measure(numbers: Sequence[int], postgres: bool) -> bool:
    """Print a line for each file; returns whether the peaks stayed where they were."""
    peaks: dict[str, list[float]] = {format_: [] for format_ in FORMATS}
    for rounds in numbers:
        with TemporaryDirectory(prefix="exports-") as name:
            folder = Path(name)
            folder.chmod(0o755)  # PostgreSQL runs as another user.
            with filled_store(folder, rounds, postgres) as url:
                for format_ in FORMATS:
                    written = export(folder, url, format_)
                    peaks[format_].append(written.peak_mb)
                    _report(rounds, format_, written, folder / f"rounds.{format_}")
    return all(max(of) <= GROWTH * of[0] for of in peaks.values())


def _report(rounds: int, format_: str, written: Written, file: Path) -> None:
    print(
        f"{rounds:>9,} rounds, {format_:<7} {written.took_s:6.1f} s {written.peak_mb:6.0f} MB at most, "
        f"{written.file_mb:6.1f} MB in the file",
        flush=True,
    )
    if format_ != "json" and rows_in(file) != rounds // TABLES * TABLES:
        raise SystemExit(f"the file has {rows_in(file):,} rounds")


def main() -> int:
    """Measure; 1 if memory grows with the number of rounds."""
    parser = ArgumentParser(prog="python -m benchmarks.exports", description=__doc__)
    parser.add_argument("--rounds", type=int, nargs="+", default=[100_000, 400_000], metavar="N")
    parser.add_argument("--postgres", action="store_true", help="in a cluster that is made for it")
    arguments = parser.parse_args()
    return 0 if measure(arguments.rounds, arguments.postgres) else 1


if __name__ == "__main__":
    sys.exit(main())
