"""The record by round, as the open journal of the table has it.

The table's loop goes on between any few entries that are read. A round's movements are drawn by a process of its
own, ``python -m controller.screens.rounds``, which gets the entries and reads the edges beside the journal.
"""

import asyncio
import json
import logging
import os
import sys
from argparse import ArgumentParser
from collections.abc import Generator, Sequence
from contextlib import closing, suppress
from http import HTTPStatus
from pathlib import Path
from typing import TypeVar, get_args

from controller.configuration.shipped import load_table
from controller.journal.chain import Entry
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.replay.trace import Traces, trace_file
from controller.journal.summaries import MOST, OutcomeFilter, RoundLines, WholeRound, round_summaries, round_summary
from controller.machine.game import in_words, words_of
from controller.machine.registry import find_game
from controller.web.exchange import Request, Response
from controller.web.routes import FRESH, GUARDS, KINDS, as_json

log = logging.getLogger("table")

DRAWN_S = 30.0
"""A process that draws longer is killed."""
MAX_WAITING = 4
"""Maximum number of requests that are answered one after another."""
PAUSE_S = 0.002
"""After each part that was read."""
MISSING = 4
"""Exit code of the drawing process: there is no plot of this round."""
_NONE = {"error": "there is no record of it"}
T = TypeVar("T")


class PlottedRound(WholeRound):
    """``/rounds/N.json``."""

    plot: bool
    """Whether ``/rounds/N.svg`` can be drawn."""


class Rounds:
    """Answers the requests of the pages of rounds.

    Args:
        table: the table's YAML file.
        file: of its journal, beside which its edges are kept.

    Attributes:
        journal: the one that is open; None while no table runs.
    """

    def __init__(self, table: Path, file: Path) -> None:
        self.journal: Journal | None = None
        self._table, self._file = table, file
        self._reading = asyncio.Lock()
        self._waiting = 0

    async def answer(self, request: Request) -> Response:
        """``/rounds.json``, ``/rounds/N.json`` or ``/rounds/N.svg``."""
        if self._waiting >= MAX_WAITING:
            return as_json(
                {"error": "the record is being read for others; try again"}, HTTPStatus.SERVICE_UNAVAILABLE
            )
        self._waiting += 1
        try:
            async with self._reading:
                if self.journal is None:
                    return as_json(
                        {"error": "no table runs, so its record cannot be read"}, HTTPStatus.SERVICE_UNAVAILABLE
                    )
                return await self._answer(request, self.journal)
        except JournalError as error:
            log.warning("the page of rounds: %s", error)
            return as_json(
                {"error": "the record cannot be read now; see the log, and journal verify"},
                HTTPStatus.INTERNAL_SERVER_ERROR,
            )
        finally:
            self._waiting -= 1

    async def _answer(self, request: Request, journal: Journal) -> Response:
        path, query = request.path, request.query
        if path == "/rounds.json":
            before, limit, outcome = query.get("before", ""), query.get("limit", "50"), query.get("outcome", "all")
            if _number(before or "0") and _number(limit) and 1 <= int(limit) <= MOST:
                for one in get_args(OutcomeFilter):
                    if outcome == one:
                        steps = round_summaries(journal, int(before) if before else None, int(limit), one)
                        return _found(self._named(await _at_leisure(steps)))
        name, _, end = path.removeprefix("/rounds/").partition(".")
        if path == f"/rounds/{name}.{end}" and _number(name):
            if end == "json":
                return await self._round(journal, int(name))
            if end == "svg":
                return await self._plot(journal, int(name))
        return as_json({"error": "there is no such page of the record"}, HTTPStatus.NOT_FOUND)

    def _named(self, lines: RoundLines) -> RoundLines:
        """The summaries, with what won named as the board and the dealer's screen name it."""
        config = load_table(self._table).config
        name = find_game(config.game).area_name
        for line in lines["rounds"]:
            for win in line["wins"]:
                win["label"] = config.layout.symbols.get(win["area"]) or name(win["area"])
        return lines

    async def _round(self, journal: Journal, number: int) -> Response:
        """A round's entries, with wagers and lamps in words: `journal show` prints the names of the record."""
        config = load_table(self._table).config
        game = find_game(config.game)
        summary = await _at_leisure(round_summary(journal, number, words_of(game)))
        if summary is None:
            return as_json(_NONE, HTTPStatus.NOT_FOUND)
        words = in_words(game, config.rules)
        for line in summary["lines"]:
            line["words"] = words(line["words"])
        document: PlottedRound = {**summary, "plot": self._has_trace(number)}
        return _found(document)

    def _has_trace(self, number: int) -> bool:
        """Whether edges of this round were kept."""
        file = trace_file(self._file)
        if not file.exists():
            return False
        with closing(Traces(file, rounds=0)) as traces:
            return number in traces.rounds()

    async def _plot(self, journal: Journal, number: int) -> Response:
        from controller.journal.replay.replay import entries_for_replay

        entries = entries_for_replay(journal, number)
        if not any(entry.round == number for entry in entries):
            return as_json(_NONE, HTTPStatus.NOT_FOUND)
        lines = "\n".join(map(json.dumps, entries))
        arguments = str(self._table), str(self._file), str(number)
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, *arguments, stdin=pipe, stdout=pipe
        )
        try:
            out, _ = await asyncio.wait_for(process.communicate(lines.encode()), DRAWN_S)
        except BaseException:
            if process.returncode is None:
                process.kill()
                await process.wait()
            raise
        if process.returncode == MISSING:
            return as_json(_NONE, HTTPStatus.NOT_FOUND)
        if process.returncode:
            raise JournalError(f"round {number} cannot be drawn")
        return Response(HTTPStatus.OK, out, KINDS["svg"], (*GUARDS, FRESH))


async def _at_leisure(steps: Generator[None, None, T]) -> T:
    """What a generator returns, with a pause for the table's loop at each of its own."""
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: T = end.value
            return result
        await asyncio.sleep(PAUSE_S)


def _number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 16


def _found(document: RoundLines | PlottedRound) -> Response:
    body = json.dumps(document, ensure_ascii=False, allow_nan=False).encode()
    return Response(HTTPStatus.OK, body, "application/json", (*GUARDS, FRESH))


# -- the drawing process -------------------------------------------------------------------------------------------


def main(words: Sequence[str] | None = None) -> int:
    """Draw a round of which the entries come as lines of JSON."""
    from controller.runtime.round_replay import drawing

    parser = ArgumentParser(prog="python -m controller.screens.rounds")
    parser.add_argument("table", type=Path)
    parser.add_argument("journal", type=Path)
    parser.add_argument("round", type=int)
    arguments = parser.parse_args(words)
    with suppress(OSError):  # The table has priority, where the service may set it.
        os.nice(10)
    entries = [Entry(*json.loads(line)) for line in sys.stdin]
    try:
        with closing(Journal.holding(entries)) as journal:
            svg = drawing(arguments.round, load_table(arguments.table), journal, trace_file(arguments.journal))
    except JournalError as error:
        print(f"the page of rounds: {error}", file=sys.stderr)
        return 1
    sys.stdout.write(svg)
    return 0 if svg else MISSING


if __name__ == "__main__":
    sys.exit(main())
