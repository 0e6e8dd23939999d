"""Makes dumps of a floor's store as this software writes it: ``python -m tests.golden.floor_store FOLDER``.

Run it once for a version of the schema, with the software of that version: ``version-N.sqlite.sql.gz``,
``version-N.postgres.sql.gz`` and, as plain data, all that is in them. What it wrote then is kept and is the truth:
later software brings such a store to its own version and finds everything in it
(``tests/unit/floor/test_floor_migrations.py``, ``tests/system/floor/floor_migrations.py``).

In it: rounds of the golden journals of all games, forks, gaps, parts, rounds without proof, refused messages,
alerts, settlements, wheels, sums, and rounds that retention deleted. Needs PostgreSQL (Debian package postgresql).
"""

import gzip
import json
import sqlite3
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

sys.path.insert(0, str(Path(__file__).parent.parent / "support"))

from floor_messages import LATER_NS, NOON_NS, alert_of, arrived, online, parts_of, record, spin, state_after
from postgres_server import Postgres
from servers import running
from sqlalchemy import Table, create_engine, select

from config.floor import RetentionSection
from controller.fairness.evidence import Evidence
from controller.floor.ingest.validation import Arrived
from controller.floor.record.floor_record import FloorRecord
from controller.floor.settlement import Settlement, settle
from controller.floor.store import schema
from controller.floor.store.store import Store
from controller.journal.chain import utc_text
from controller.messages.models import write
from controller.messages.topics import Topic, of_table
from controller.publishing.formatter import JournalPlace
from controller.publishing.source import JournalSource
from hal.mock.clock import VirtualClock
from tests.golden.journals import GAMES, journal_file, table_of

HERE = Path(__file__).resolve().parent
DUMPS = HERE / "floor"
ROUNDS = 6
"""Of each game's golden journal."""
DAY_NS = 86_400_000_000_000
NOW = utc_text(LATER_NS)


def main(words: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(
        prog="python -m tests.golden.floor_store",
        description=__doc__,
        formatter_class=RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", metavar="FOLDER", type=Path)
    folder = parser.parse_args(words).folder
    name = f"version-{schema.VERSION}"
    if (folder / f"{name}.json.gz").exists():
        print(f"golden.floor_store: {name} is there, and golden files are kept", file=sys.stderr)
        return 2
    with TemporaryDirectory(prefix="floor-") as place, TemporaryDirectory(prefix="floor-") as cluster:
        file = Path(place) / "floor.db"
        content = fill(f"sqlite:///{file}")
        with closing(sqlite3.connect(file)) as db:
            _pack(folder / f"{name}.sqlite.sql.gz", "\n".join(db.iterdump()) + "\n")
        server = Postgres(Path(cluster))
        with running(server):
            url = server.fresh()
            same = fill(url)
            _pack(folder / f"{name}.postgres.sql.gz", server.dump(url))
    assert content == same, "the two databases hold the same"
    _pack(folder / f"{name}.json.gz", json.dumps(content, indent=1, sort_keys=True) + "\n")
    return 0


def fill(url: str) -> dict[str, list[dict[str, Any]]]:
    """Have a store take everything; returns what is in it, by table."""
    kept = FloorRecord(None, VirtualClock())
    old = Store(url, evidence=Evidence, retention=RetentionSection(rounds_days=5), record=kept)
    old.take([arrived(one, NOON_NS) for one in record([2] * 6, table="old", begins=-20 * 24 * 60)])
    for _ in range(5):
        old.upkeep({}, NOON_NS)
    old.close()
    store = Store(url, evidence=Evidence, record=kept)
    for messages in (*_of_games(), *_of_records()):
        store.take(messages)
    for kind, table, what in (
        ("fork", "forked-settled", "disputed"),
        ("gap", "gap-settled", ""),
        ("wheel", "wheel-there", "W-2"),
    ):
        settle(store.engine, Settlement(kind, table, "m.weber", "I looked at it", what), NOW)
    store.look_after([], NOW)
    settle(store.engine, Settlement("fork", "forked", "m.weber", "not yet in effect", "stored"), NOW)
    store.upkeep({"big-six-1": 3}, LATER_NS)
    store.upkeep({}, LATER_NS)
    store.close()
    kept.close()
    return content(url)


def content(url: str, names: Mapping[str, Sequence[str]] | None = None) -> dict[str, list[dict[str, Any]]]:
    """All that a store has, as JSON holds it, without the numbers that a database gives to rows.

    Args:
        names: which tables and columns; all by default.
    """
    engine = create_engine(url)
    with engine.connect() as db:
        found = {}
        for table in schema.metadata.sorted_tables:
            if names is not None and table.name not in names:
                continue
            columns = [one.name for one in table.columns if names is None or one.name in names[table.name]]
            columns = [name for name in columns if name != "id"] or [table.columns[0].name]
            rows = db.execute(select(*(table.c[name] for name in columns))).mappings()
            found[table.name] = sorted(
                ({name: _plain(value) for name, value in row.items()} for row in rows if not _is_own(table, row)),
                key=lambda row: [str(row[name]) for name in columns],
            )
    engine.dispose()
    return found


def read_dump(name: str) -> str:
    """A dump's text."""
    return gzip.decompress((DUMPS / name).read_bytes()).decode()


def _is_own(table: Table, row: Mapping[str, Any]) -> bool:
    """Whether a row is of the process that wrote the store, and not of what is in it."""
    return table.name == schema.about.name and row["key"] in ("writer", "version")


def _plain(value: object) -> object:
    return value.hex() if isinstance(value, bytes) else value


def _pack(file: Path, text: str) -> None:
    file.write_bytes(gzip.compress(text.encode(), mtime=0))
    print(f"{file}: {file.stat().st_size // 1000} kB")


def _of_games() -> Iterator[list[Arrived]]:
    """What the tables of the golden journals published."""
    for game in GAMES:
        with TemporaryDirectory() as place:
            journal, config = journal_file(game, Path(place) / "table.journal"), table_of(game)
            with closing(JournalSource(config, journal, VirtualClock())) as source:
                source.begin(0)
                published, rounds = [], 0
                while rounds < ROUNDS and (due := source.due(JournalPlace(0, 0))):
                    published += due
                    rounds += sum(one.topic is Topic.ROUND for one in due)
                messages = [
                    Arrived(of_table(config.table, one.topic), write(one.message), LATER_NS * 2)
                    for one in published
                ]
                health = source.formatter.health("2026-01-01T00:00:00.000Z")
            messages.append(Arrived(of_table(config.table, Topic.HEALTH), write(health), LATER_NS * 2))
            yield [arrived(online(config.table)), *messages]


def _of_records() -> Iterator[list[Arrived]]:
    """What is not as it should be."""
    for table in ("forked", "forked-settled"):
        ours, theirs = (
            record([3, 3, 3, 2], table=table, salt=table, spins=[spin(1)], changed_from=change)
            for change in (None, 2)
        )
        yield [arrived(one) for one in (*ours[:3], *theirs[2:])]
    for table in ("gap", "gap-settled"):
        sent = record([3] * 6, table=table, salt=table, dealer="104")
        yield [arrived(one) for one in (*sent[:2], *sent[4:])]
    yield [arrived(one) for one in record([3] * 4, table="wheel-here", salt="here", wheel="W-2", spins=[spin(4)])]
    yield [arrived(one) for one in record([3] * 4, table="wheel-there", salt="there", wheel="W-2", spins=[spin(5)])]
    (cut,) = record([9], table="cut", salt="cut")
    parts, _ = parts_of(cut, [4])
    yield [arrived(one) for one in parts]
    played = record(
        [3] * 3, table="big-six-1", results=["10"], voids=["sensor"], returned=["sensor"], corrections=1
    )
    bare = record([3] * 3, table="unproven", salt="unproven")[1].model_copy(update={"entries": None})
    false = played[2].model_copy(update={"results": ["40"]})
    yield [arrived(online()), *(arrived(one) for one in played), arrived(state_after(played[-1], handed_over=30))]
    yield [arrived(alert_of(played[-1])), arrived(alert_of(played[0], 1)), arrived(bare), arrived(false)]
    yield [Arrived("tables/big-six-1/round", b"no message", LATER_NS), arrived(online("gap", is_online=False))]


if __name__ == "__main__":
    sys.exit(main())
