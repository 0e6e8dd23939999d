"""The record by round. A process of its own reads it: a table's loop waits for no disk or drawing.

``python -m controller.screens.rounds`` is that process; it prints the requested document.
"""

import asyncio
import json
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from contextlib import suppress
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING, get_args

from controller.journal.pair_mark import journal_in_use
from controller.journal.summaries import MOST, OutcomeFilter, RoundLines, WholeRound
from controller.web.exchange import Request, Response
from controller.web.routes import FRESH, GUARDS, KINDS, as_json

if TYPE_CHECKING:  # The table's process loads neither; the reading one does.
    from controller.journal.journal import Journal

READ_S = 30.0
"""A reading process that takes longer is killed."""
MAX_WAITING = 4
"""Maximum number of requests that wait for the reading process."""
_UNREADABLE = ("error", "the record cannot be read now; see the log, and journal verify")


class PlottedRound(WholeRound):
    """``/rounds/N.json``."""

    plot: bool
    """Whether ``/rounds/N.svg`` can be drawn."""


class Rounds:
    """Answers the requests of the pages of rounds.

    Args:
        table: the table's YAML file.
        journal: its journal.
        mirror: the second one, which is read if it alone has the whole record; None for none.
    """

    def __init__(self, table: Path, journal: Path, mirror: Path | None = None) -> None:
        self._table = table
        self._journal, self._mirror = journal, mirror
        self._reading = asyncio.Lock()
        self._waiting = 0

    async def answer(self, request: Request) -> Response:
        """``/rounds.json``, ``/rounds/N.json`` or ``/rounds/N.svg``."""
        arguments = _arguments(request)
        if arguments is None:
            return as_json({"error": "there is no such page of the record"}, HTTPStatus.NOT_FOUND)
        if self._waiting >= MAX_WAITING:
            return as_json(
                {"error": "the record is being read for others; try again"}, HTTPStatus.SERVICE_UNAVAILABLE
            )
        self._waiting += 1
        try:
            async with self._reading:
                code, out = await self._read(arguments)
        finally:
            self._waiting -= 1
        if code == MISSING:
            return as_json({"error": "there is no record of it"}, HTTPStatus.NOT_FOUND)
        if code:
            return as_json(dict([_UNREADABLE]), HTTPStatus.INTERNAL_SERVER_ERROR)
        if arguments[0] == "plot":
            return Response(HTTPStatus.OK, out, KINDS["svg"], (*GUARDS, FRESH))
        return Response(HTTPStatus.OK, out, "application/json", (*GUARDS, FRESH))

    async def _read(self, arguments: Sequence[str]) -> tuple[int, bytes]:
        files = (str(self._table), str(journal_in_use(self._journal, self._mirror)))
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-m", __name__, *files, *arguments, stdout=asyncio.subprocess.PIPE
        )
        try:
            out, _ = await asyncio.wait_for(process.communicate(), READ_S)
        except BaseException:
            if process.returncode is None:
                process.kill()
                await process.wait()
            raise
        return process.returncode or 0, out


_OF_ROUND = {".json": "one", ".svg": "plot"}
"""How the addresses end that begin with ``/rounds/`` and a number."""


def _arguments(request: Request) -> list[str] | None:
    """The arguments of the reading process; None for an unknown address."""
    path, query = request.path, request.query
    if path == "/rounds.json":
        before, limit = query.get("before", ""), query.get("limit", "50")
        outcome = query.get("outcome", "all")
        numbers = all(
            number.isascii() and number.isdigit() and len(number) < 16 for number in (before or "0", limit)
        )
        if not numbers or not 1 <= int(limit) <= MOST or outcome not in get_args(OutcomeFilter):
            return None
        return ["list", limit, outcome, *([before] if before else [])]
    for end, command in _OF_ROUND.items():
        number = path.removeprefix("/rounds/").removesuffix(end)
        if path == f"/rounds/{number}{end}" and number.isascii() and number.isdigit() and len(number) < 16:
            return [command, number]
    return None


# -- the reading process -------------------------------------------------------------------------------------------

MISSING = 4
"""Exit code: there is no such round, or no plot of it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Read and print."""
    parser = ArgumentParser(prog="python -m controller.screens.rounds")
    parser.add_argument("table", type=Path)
    parser.add_argument("journal", type=Path)
    commands = parser.add_subparsers(dest="command", required=True)
    many = commands.add_parser("list")
    many.add_argument("limit", type=int)
    many.add_argument("outcome", choices=get_args(OutcomeFilter))
    many.add_argument("before", type=int, nargs="?")
    for name in _OF_ROUND.values():
        commands.add_parser(name).add_argument("round", type=int)
    from controller.journal.errors import JournalError

    with suppress(OSError):  # The table has priority, where the service may set it.
        os.nice(10)
    try:
        return _run(parser.parse_args(arguments))
    except JournalError as error:
        print(f"the page of rounds: {error}", file=sys.stderr)
        return 1


def _run(arguments: Namespace) -> int:
    from controller.journal.journal import Journal
    from controller.journal.summaries import round_summaries, round_summary

    journal = Journal(arguments.journal, read_only=True)
    try:
        if arguments.command == "plot":
            return _plot(arguments) if round_summary(journal, arguments.round) is not None else MISSING
        if arguments.command == "list":
            document: RoundLines | PlottedRound | None = _lines(
                arguments.table, round_summaries(journal, arguments.before, arguments.limit, arguments.outcome)
            )
        else:
            document = _whole_round(arguments, journal)
    finally:
        journal.close()
    if document is None:
        return MISSING
    json.dump(document, sys.stdout, ensure_ascii=False, allow_nan=False)
    return 0


def _lines(table: Path, lines: RoundLines) -> RoundLines:
    """The summaries, with what won named as the board and the dealer's screen name it."""
    from controller.configuration.shipped import load_table
    from controller.machine.registry import find_game

    config = load_table(table).config
    name = find_game(config.game).area_name
    for line in lines["rounds"]:
        for win in line["wins"]:
            win["label"] = config.layout.symbols.get(win["area"]) or name(win["area"])
    return lines


def _whole_round(arguments: Namespace, journal: "Journal") -> PlottedRound | None:
    """A round's entries, with wagers and lamps in words: what `journal show` prints has the names of the record."""
    from controller.configuration.shipped import load_table
    from controller.journal.summaries import round_summary
    from controller.machine.game import words_of
    from controller.machine.game_words import in_words
    from controller.machine.registry import find_game

    config = load_table(arguments.table).config
    game = find_game(config.game)
    summary = round_summary(journal, arguments.round, words_of(game))
    if summary is None:
        return None
    words = in_words(game, config.rules)
    for line in summary["lines"]:
        line["words"] = words(line["words"])
    return {**summary, "plot": _has_trace(arguments)}


def _has_trace(arguments: Namespace) -> bool:
    """Whether edges of this round were kept."""
    from controller.journal.replay.trace import Traces, trace_file

    file = trace_file(arguments.journal)
    if not file.exists():
        return False
    traces = Traces(file, rounds=0)
    try:
        return arguments.round in traces.rounds()
    finally:
        traces.close()


def _plot(arguments: Namespace) -> int:
    from controller.configuration.shipped import load_table
    from controller.runtime.round_replay import drawing

    svg = drawing(arguments.round, load_table(arguments.table), arguments.journal)
    if not svg:
        return MISSING
    sys.stdout.write(svg)
    return 0


if __name__ == "__main__":
    sys.exit(main())
