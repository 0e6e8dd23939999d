"""Reads a golden journal with today's code: as plain data, what the code that wrote it read then."""

import gzip
import io
import json
import os
import re
import shutil
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, redirect_stderr, redirect_stdout
from dataclasses import asdict
from datetime import datetime
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from controller.commands import cli
from controller.configuration.shipped import LoadedTable, load_table
from controller.journal import summaries
from controller.journal.errors import JournalError
from controller.journal.head_anchor import anchor_file
from controller.journal.journal import Journal
from controller.journal.recovery import recover, recover_table_state
from controller.journal.replay.decoding import Sensors
from controller.journal.replay.replay import ReplayedRound, replay
from controller.journal.replay.trace import Traces, trace_file
from controller.messages import models
from controller.messages.topics import Topic, of_table
from controller.publishing.formatter import JournalPlace
from controller.publishing.source import JournalSource
from controller.runtime.assembly import build, on_simulated_hardware, tracker
from controller.runtime.origin import Origin
from controller.runtime.round_replay import quiet_ns
from controller.statechart.machine import GameMachine
from controller.statechart.registry import find_game
from controller.viewmodel import presenter as picture
from controller.viewmodel.history import TableHistory
from hal.mock.clock import NS_PER_S, VirtualClock

EXPECTED, JOURNAL, TABLE, TRACE, WITNESS = "expected.json.gz", "journal.gz", "table.yaml", "trace.gz", "witness.gz"
Json = dict[str, Any]

CUTS = 30
"""About so many places, evenly spread, at which a journal is cut."""
FEWEST_BETWEEN = 7
"""Entries between two of these places, at least."""
WHOLE_ROUNDS = 2
"""Rounds with a cut after every entry: those with the most states, of which the longest is not too long."""
LONGEST_ROUND = 30
ORIGIN = Origin("0" * 64, "0" * 64)
_LATER_NS = 60 * NS_PER_S
_OTHER_VERSION = re.compile(r"note: the round was played with version .*, and this is .*")
_UTC = re.compile(r"(\d{4}-\d\d-\d\d) (\d\d:\d\d:\d\d(?:\.\d{3})?) UTC")
_THIS_VERSION = re.compile(r"(?<=this is )[0-9][^:]*(?=: it decides otherwise)")


def read(folder: Path) -> Json:
    """All that is read of the journal in a folder of a release and a game.

    Raises:
        OSError: a file of it is missing.
        ConfigError: its table is no valid configuration today.
        JournalError: the journal cannot be read, or is damaged.
    """
    with TemporaryDirectory() as place, _universal_time():
        return read_files(unpacked(folder, Path(place)))


def unpacked(folder: Path, place: Path) -> Path:
    """Unpack a golden journal's files; returns the journal."""
    journal = place / "table.journal"
    files = {JOURNAL: journal, TRACE: trace_file(journal), WITNESS: anchor_file(journal)}
    for kept, file in files.items():
        if kept == JOURNAL or (folder / kept).exists():
            file.write_bytes(gzip.decompress((folder / kept).read_bytes()))
    shutil.copy(folder / TABLE, place / TABLE)
    return journal


def read_files(journal: Path) -> Json:
    """The same of files that were unpacked."""
    loaded = load_table(journal.with_name(TABLE))
    listed, cut = entries(journal), {}
    game = loaded.config.game
    machine = find_game(game).machine(loaded.config)  # One for all cuts: making it takes the longest.
    for count in cuts(listed):
        with closing(_cut(journal, count)) as short:
            cut[f"cut {count}"] = {"recovered": recovered(game, machine, short), "screens": screens(loaded, short)}
    with closing(Journal(journal, read_only=True)) as opened:
        whole = recovered(game, find_game(game).machine(loaded.config), opened)
    return {
        "entries": listed,
        "verify": verified(journal),
        "recovered": {
            "whole": whole,
            **{place: parts["recovered"] for place, parts in cut.items()},
        },
        "replayed": replayed(loaded, journal, listed),
        "shown": shown(journal, listed),
        "screens": {"rounds": rounds(journal, listed), **{place: parts["screens"] for place, parts in cut.items()}},
        "messages": messages(loaded, journal),
    }


@contextmanager
def _universal_time() -> Iterator[None]:
    """Times of day are those of Greenwich, wherever this runs."""
    before = os.environ.get("TZ")
    os.environ["TZ"] = "UTC"
    time.tzset()
    try:
        yield
    finally:
        if before is None:
            del os.environ["TZ"]
        else:
            os.environ["TZ"] = before
        time.tzset()


# -- the record ----------------------------------------------------------------------------------------------------


def entries(journal: Path) -> list[Json]:
    """Every entry as it is on record, read from the file without the controller's code."""
    with closing(sqlite3.connect(journal)) as db:
        rows = db.execute("SELECT seq, round, kind, body, hash FROM entries ORDER BY seq").fetchall()
    found = []
    for seq, number, kind, text, digest in rows:
        body = json.loads(text)
        entry = {"seq": seq, "round": number, "kind": kind, "state": body["state"], "outcome": body["outcome"]}
        effects = [effect["kind"] for effect in body["effects"]]
        found.append({**entry, "effects": effects, "hash": digest})
    return found


def verified(journal: Path) -> Json:
    """Whether the entries' chain is intact, and what the head anchor beside the journal says."""
    with closing(Journal(journal, read_only=True)) as opened:
        verdict = opened.verify()
    problem = ""
    with _copy(journal) as file:
        shutil.copy(anchor_file(journal), anchor_file(file))
        try:
            Journal(file).close()
        except JournalError as error:
            problem = str(error).replace(str(file), "JOURNAL")
    return {"entries": verdict.entries, "head": verdict.head, "problem": verdict.problem, "witness": problem}


# -- cut short -----------------------------------------------------------------------------------------------------


def cuts(listed: list[Json]) -> list[int]:
    """After how many entries the journal is cut."""
    by_round: dict[int, list[Json]] = {}
    for entry in listed:
        by_round.setdefault(entry["round"], []).append(entry)
    fit = [found for found in by_round.values() if len(found) <= LONGEST_ROUND]
    eventful = sorted(fit, key=lambda found: -len({entry["state"] for entry in found}))[:WHOLE_ROUNDS]
    step = max(FEWEST_BETWEEN, len(listed) // CUTS)
    spread = range(1, len(listed) + 1, step)
    return sorted({*spread, len(listed), *(entry["seq"] for found in eventful for entry in found)})


@contextmanager
def _copy(journal: Path) -> Iterator[Path]:
    with TemporaryDirectory() as place:
        file = Path(place) / journal.name
        shutil.copy(journal, file)
        yield file


def _cut(journal: Path, count: int) -> Journal:
    """The first entries of a journal alone, in memory: a file would be waited for."""
    cut = Journal(None)
    with closing(Journal(journal, read_only=True)) as whole:
        for entry in islice(whole.entries(), count):
            cut.append(entry.round, entry.at_ns, _utc_ns(entry.utc), entry.kind, entry.body, entry.checkpoint)
    return cut


def _utc_ns(utc: str) -> int:
    return round(datetime.fromisoformat(utc).timestamp() * 1000) * 1_000_000


def recovered(game: str, machine: GameMachine[Any, Any], journal: Journal) -> Json:
    """The state of a machine at the journal's end, and the table's own state."""
    try:
        events = recover(game, machine, journal).replayed
        table_state, _ = recover_table_state(journal)
    except JournalError as error:
        return {"error": str(error)}
    snapshot = {**machine.snapshot(), "standing": table_state.snapshot()}
    return {"facts": events, "waiting_for": machine.waiting_for(), **snapshot}


def screens(loaded: LoadedTable, journal: Journal) -> Json:
    """What the screens show a minute later, once the table has started on the journal; and the page of rounds."""
    last = journal.entry(len(journal))
    record = summaries.round_summaries(journal, None, 3, "all")
    config = on_simulated_hardware(loaded.config)
    clock = VirtualClock(_utc_ns(last.utc if last is not None else "") + _LATER_NS)
    watch = TableHistory(config, clock)
    watch.recall(journal)
    table = build(config, ORIGIN, clock, journal)
    table.listeners.append(watch)
    try:
        table.start()
        return {
            "board": picture.board(config, table, watch, clock.now_ns(), clock.utc_ns()),
            "dealer": picture.dealer(config, table, watch, clock.now_ns()),
            "rounds": record,
        }
    except JournalError as error:
        return {"error": str(error), "rounds": record}
    finally:
        table.stop()


# -- the whole record ----------------------------------------------------------------------------------------------


def _numbers(listed: list[Json]) -> list[int]:
    return sorted({entry["round"] for entry in listed})


def rounds(journal: Path, listed: list[Json]) -> Json:
    """The page of rounds: of all, of those that came to a result or had a void; and each round."""
    with closing(Journal(journal, read_only=True)) as opened:
        lists = {
            outcome: summaries.round_summaries(opened, None, 50, outcome) for outcome in ("all", "result", "void")
        }
        return {
            **lists,
            **{f"round {number}": summaries.round_summary(opened, number) for number in _numbers(listed)},
        }


def replayed(loaded: LoadedTable, journal: Path, listed: list[Json]) -> Json:
    """Every round decided again, and its events found again in the edges that are kept."""
    return {f"round {number}": _replayed(loaded, journal, number) for number in _numbers(listed)}


def _replayed(loaded: LoadedTable, journal: Path, number: int) -> Json:
    config, file = loaded.config, trace_file(journal)
    make, game = tracker(config), find_game(config.game)
    traces = Traces(file, 0) if file.exists() else None
    sensors = Sensors(make, frozenset(type(config.devices).model_fields), quiet_ns(config)) if make else None
    with closing(Journal(journal, read_only=True)) as opened:
        again: ReplayedRound = replay(number, game.name, game.machine(config), opened, traces, sensors)
    if traces is not None:
        traces.close()
    events = None
    if again.edge_replay is not None:
        events = {
            "same": again.edge_replay.same,
            "open": [str(one) for one in again.edge_replay.open],
            "lost": again.edge_replay.lost,
        }
    differences = [asdict(difference) for difference in again.differences]
    return {"entries": len(again.entries), "differences": differences, "sensors": events}


def shown(journal: Path, listed: list[Json]) -> Json:
    """What the commands print, by line."""
    *lines, code = _printed(journal, "journal", "show", str(journal), "--json")
    found: Json = {
        "journal show": _printed(journal, "journal", "show", str(journal)),
        "journal show --json": {"said": json.loads("\n".join(lines)), "code": code},
    }
    table = str(journal.with_name(TABLE))
    for number in _numbers(listed):
        words = ("replay", str(number), str(journal), "--table", table)
        found[f"replay {number}"] = _printed(journal, *words)
    return found


def _printed(journal: Path, *words: str) -> list[str]:
    """What a command prints, its paths made the same everywhere; what it says of another version is left out.

    Times are as releases before 0.2.0 printed them: commands print local ones since.
    """
    out = io.StringIO()
    with redirect_stdout(out), redirect_stderr(out), _universal_time():
        code = cli.main(words)
    out = io.StringIO(_UTC.sub(r"\1T\2Z", out.getvalue()))
    lines = _THIS_VERSION.sub("THIS", out.getvalue().replace(f"{journal.parent}/", "")).splitlines()
    return [*(line for line in lines if not _OTHER_VERSION.fullmatch(line)), f"exit code {code}"]


def messages(loaded: LoadedTable, journal: Path) -> Json:
    """All that is published to the floor, in order, and the table's state at the end."""
    config, published = loaded.config, []
    with closing(JournalSource(config, journal, VirtualClock())) as source:
        source.begin(0)
        while due := source.due(JournalPlace(0, 0)):
            published += [_message(config.table, one.topic, one.message) for one in due]
        state = source.formatter.state(handed_over=0, length=source.length())
        health = source.formatter.health("2026-01-01T00:00:00.000Z")
    ends = {} if state is None else {"state": _message(config.table, Topic.STATE, state)}
    return {"told": published, **ends, "health": _message(config.table, Topic.HEALTH, health)}


_LATER_FIELDS = ("opening", "before", "length")
"""Fields of messages that came after 0.1.0: what proves a round, which the tests of the floor look at."""


def _message(table: str, topic: Topic, message: Any) -> Json:
    payload = json.loads(models.write(message))
    return {
        "topic": of_table(table, topic),
        "payload": {name: value for name, value in payload.items() if name not in _LATER_FIELDS},
    }
