"""The golden journals: one for each game, recorded by this software (:mod:`golden.make`)."""

import gzip
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from functools import cache
from pathlib import Path

from config.schema import LimitsSection, TableConfig
from controller.bench.simulated_table import with_contacts
from controller.configuration.shipped import LoadedTable, load_table, table_path
from controller.journal.chain import Entry
from controller.journal.journal import Journal
from controller.journal.replay.trace import trace_file
from controller.machine.registry import game_names

HERE = Path(__file__).parent
GAMES = tuple(game_names())
LIMITS = LimitsSection.model_validate({"minimum": 5, "maximum": 500, "payout": 25_000, "currency": "$"})


def table_of(game: str) -> TableConfig:
    """The shipped table, with limits on its board, a door and a cabinet, and Sic Bo with an automated shaker."""
    config = with_contacts(load_table(table_path(game)).config)
    dice = config.dice
    if dice is not None and game == "sic-bo":
        dice = dice.model_copy(update={"shaker": "automated"})
    return config.model_copy(update={"limits": LIMITS, "dice": dice})


def loaded_of(game: str) -> LoadedTable:
    """The same as commands have it, as if read from the shipped file."""
    return load_table(table_path(game))._replace(config=table_of(game))


@cache
def entries_of(game: str) -> tuple[Entry, ...]:
    """The entries of a game's journal."""
    lines = gzip.decompress(_packed(game, "jsonl").read_bytes()).decode().splitlines()
    return tuple(Entry(*json.loads(line)) for line in lines)


def last_ended(game: str) -> int:
    """The round before the one that is open at the end: the entry that opened that one is its last."""
    return next(entry.round for entry in reversed(entries_of(game)) if '"kind":"round-opened"' in entry.body)


def journal_file(game: str, file: Path) -> Path:
    """A game's journal as a file, and beside it what is kept of its sensors' edges."""
    with closing(Journal(file)) as journal:
        journal.take_over(entries_of(game))
    if (traces := _packed(game, "traces")).exists():
        trace_file(file).write_bytes(gzip.decompress(traces.read_bytes()))
    return file


def write(game: str, file: Path) -> Iterator[Path]:
    """Keep a game's journal, and the edges beside it; yields what is written."""
    with closing(Journal(file)) as journal:
        lines = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in journal.entries())
    yield _pack(game, "jsonl", lines.encode())
    if (traces := trace_file(file)).exists():
        with closing(sqlite3.connect(traces)) as db:
            db.execute("VACUUM INTO ?", (str(small := file.with_name("small")),))
        yield _pack(game, "traces", small.read_bytes())


def _pack(game: str, kind: str, data: bytes) -> Path:
    _packed(game, kind).write_bytes(gzip.compress(data, 9, mtime=0))
    return _packed(game, kind)


def _packed(game: str, kind: str) -> Path:
    return HERE / f"{game}.{kind}.gz"
