"""The golden journals: one for each game, recorded by this software (:mod:`golden.make`)."""

import gzip
import json
from collections.abc import Iterable
from contextlib import closing
from functools import cache
from pathlib import Path

from config.schema import LimitsSection, TableConfig
from controller.bench.simulated_table import with_contacts
from controller.configuration.shipped import load_table, table_path
from controller.journal.chain import Entry
from controller.journal.journal import Journal
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


@cache
def entries_of(game: str) -> tuple[Entry, ...]:
    """The entries of a game's journal."""
    lines = gzip.decompress(_file(game).read_bytes()).decode().splitlines()
    return tuple(Entry(*json.loads(line)) for line in lines)


def journal_file(game: str, file: Path) -> Path:
    """A game's journal as a file."""
    with closing(Journal(file)) as journal:
        journal.take_over(entries_of(game))
    return file


def write(game: str, entries: Iterable[Entry]) -> Path:
    """Keep a game's journal."""
    lines = "".join(json.dumps(entry, ensure_ascii=False) + "\n" for entry in entries)
    _file(game).write_bytes(gzip.compress(lines.encode(), 9, mtime=0))
    return _file(game)


def _file(game: str) -> Path:
    return HERE / f"{game}.jsonl.gz"
