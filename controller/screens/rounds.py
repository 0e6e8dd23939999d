"""The record by round. It is read by a process of its own: a table's loop does not wait for a disk or a drawing.

``python -m controller.screens.rounds`` is that process; it prints what the page asks for.
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
from typing import get_args

from controller.journal.summaries import MOST, Outcome, RoundLines, WholeRound
from controller.web.http import Request, Response
from controller.web.routes import FRESH, GUARDS, KINDS, as_json

READ_S = 30.0
"""A reader that takes longer is ended."""
WAITING = 4
"""So many may wait for the one that reads."""
_BROKEN = ("error", "the record cannot be read now; see the log, and journal verify")


class PlottedRound(WholeRound):
    """``/rounds/N.json``."""

    plot: bool
    """Whether ``/rounds/N.svg`` can be drawn."""


class Rounds:
    """Answers for the page of rounds.

    Args:
        table: the table's YAML file.
        journal: its journal.
    """

    def __init__(self, table: Path, journal: Path) -> None:
        self._files = (str(table), str(journal))
        self._one = asyncio.Lock()
        self._waiting = 0

    async def answer(self, request: Request) -> Response:
        """``/rounds.json``, ``/rounds/N.json`` or ``/rounds/N.svg``."""
        words = _words(request)
        if words is None:
            return as_json({"error": "there is no such page of the record"}, HTTPStatus.NOT_FOUND)
        if self._waiting >= WAITING:
            return as_json({"error": "others read the record; ask again"}, HTTPStatus.SERVICE_UNAVAILABLE)
        self._waiting += 1
        try:
            async with self._one:
                code, out = await self._read(words)
        finally:
            self._waiting -= 1
        if code == MISSING:
            return as_json({"error": "nothing of it is on record"}, HTTPStatus.NOT_FOUND)
        if code:
            return as_json(dict([_BROKEN]), HTTPStatus.INTERNAL_SERVER_ERROR)
        if words[0] == "plot":
            return Response(HTTPStatus.OK, out, KINDS["svg"], (*GUARDS, FRESH))
        return Response(HTTPStatus.OK, out, "application/json", (*GUARDS, FRESH))

    async def _read(self, words: Sequence[str]) -> tuple[int, bytes]:
        process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __name__, *self._files, *words), stdout=asyncio.subprocess.PIPE
        )
        try:
            out, _ = await asyncio.wait_for(process.communicate(), READ_S)
        except BaseException:
            if process.returncode is None:
                process.kill()
                await process.wait()
            raise
        return process.returncode or 0, out


def _words(request: Request) -> list[str] | None:
    """What the reader is told; None for an address that means nothing."""
    path, query = request.path, request.query
    if path == "/rounds.json":
        before, limit = query.get("before", ""), query.get("limit", "50")
        outcome = query.get("outcome", "all")
        numbers = all(
            number.isascii() and number.isdigit() and len(number) < 16 for number in (before or "0", limit)
        )
        if not numbers or not 1 <= int(limit) <= MOST or outcome not in get_args(Outcome):
            return None
        return ["list", limit, outcome, *([before] if before else [])]
    number, _, kind = path.removeprefix("/rounds/").partition(".")
    if not (path.startswith("/rounds/") and number.isascii() and number.isdigit() and len(number) < 16):
        return None
    return [{"json": "one", "svg": "plot"}[kind], number] if kind in ("json", "svg") else None


# -- the process that reads ----------------------------------------------------------------------------------------

MISSING = 4
"""Exit code: there is no such round, or no plot of it."""


def main(words: Sequence[str] | None = None) -> int:
    """Read and print."""
    parser = ArgumentParser(prog="python -m controller.screens.rounds")
    parser.add_argument("table", type=Path)
    parser.add_argument("journal", type=Path)
    commands = parser.add_subparsers(dest="command", required=True)
    many = commands.add_parser("list")
    many.add_argument("limit", type=int)
    many.add_argument("outcome", choices=get_args(Outcome))
    many.add_argument("before", type=int, nargs="?")
    for name in ("one", "plot"):
        commands.add_parser(name).add_argument("round", type=int)
    from controller.journal.errors import JournalError

    with suppress(OSError):  # The table comes first, where the service may say so.
        os.nice(10)
    try:
        return _run(parser.parse_args(words))
    except JournalError as error:
        print(f"the page of rounds: {error}", file=sys.stderr)
        return 1


def _run(asked: Namespace) -> int:
    from controller.journal.journal import Journal
    from controller.journal.summaries import round_summaries, round_summary

    journal = Journal(asked.journal, read_only=True)
    try:
        if asked.command == "plot":
            return _plot(asked) if round_summary(journal, asked.round) is not None else MISSING
        if asked.command == "list":
            found: RoundLines | PlottedRound | None = round_summaries(
                journal, asked.before, asked.limit, asked.outcome
            )
        else:
            whole = round_summary(journal, asked.round)
            found = {**whole, "plot": _traced(asked)} if whole is not None else None
    finally:
        journal.close()
    if found is None:
        return MISSING
    json.dump(found, sys.stdout, ensure_ascii=False, allow_nan=False)
    return 0


def _traced(asked: Namespace) -> bool:
    """Whether edges of this round were kept."""
    from controller.journal.replay.trace import Traces, trace_file

    file = trace_file(asked.journal)
    if not file.exists():
        return False
    traces = Traces(file, rounds=0)
    try:
        return asked.round in traces.rounds()
    finally:
        traces.close()


def _plot(asked: Namespace) -> int:
    from controller.configuration.shipped import load_table
    from controller.runtime.round_replay import drawing

    drawn = drawing(asked.round, load_table(asked.table), asked.journal)
    if not drawn:
        return MISSING
    sys.stdout.write(drawn)
    return 0


if __name__ == "__main__":
    sys.exit(main())
