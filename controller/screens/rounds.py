"""The record by round: from the running table at its socket, or from a copy of its journal where none runs."""

import asyncio
import logging
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import get_args

from starlette.requests import Request
from starlette.responses import Response

from config.schema import TableConfig
from controller.journal.errors import JournalError
from controller.journal.journal import Entries
from controller.journal.reading import copy_of
from controller.journal.summaries import OutcomeFilter, round_summaries, round_summary
from controller.machine.game import in_words, words_of
from controller.machine.registry import find_game
from controller.runtime.table_client import RunningJournal, TableClient, UnreachableError
from controller.screens.streams import Document, json_answer
from controller.web.serving import DIGITS

log = logging.getLogger("table")

MAX_WAITING = 4
"""Maximum number of requests that are answered one after another."""


class _MissingError(Exception):
    """There is no such page of the record."""


class Rounds:
    """Answers the requests of the page of rounds.

    Args:
        place: the table's socket.
        file: its journal.
    """

    def __init__(self, config: TableConfig, place: Path, file: Path) -> None:
        self._config, self._place, self._file = config, place, file
        self._game = find_game(config.game)
        self._reading = asyncio.Lock()
        self._waiting = 0

    async def some(self, request: Request) -> Response:
        """``/rounds.json``: rounds before a number, the newest first."""
        query = request.query_params
        before, outcome = query.get("before", ""), query.get("outcome", "all")
        kind: OutcomeFilter | None = next((one for one in get_args(OutcomeFilter) if one == outcome), None)
        if kind is None or not re.fullmatch(DIGITS, before or "0"):
            return json_answer({"error": "there is no such page of the record"}, 404)

        def read(journal: Entries) -> Document:
            lines = round_summaries(journal, int(before) if before else None, kind)
            symbols = self._config.layout.symbols
            for line in lines["rounds"]:
                for win in line["wins"]:
                    win["label"] = symbols.get(win["area"]) or self._game.area_name(win["area"])
            return lines

        return await self._answer(read)

    async def one(self, request: Request) -> Response:
        """``/rounds/N.json``: a round's entries, with wagers and lamps in words."""
        number: int = request.path_params["number"]

        def read(journal: Entries) -> Document:
            summary = round_summary(journal, number, words_of(self._game))
            if summary is None:
                raise _MissingError
            words = in_words(self._game, self._config.rules)
            for line in summary["lines"]:
                line["words"] = words(line["words"])
            return summary

        return await self._answer(read)

    async def _answer(self, read: Callable[[Entries], Document]) -> Response:
        if self._waiting >= MAX_WAITING:
            return json_answer({"error": "the record is being read for others; try again"}, 503)
        self._waiting += 1
        try:
            async with self._reading:
                return json_answer(await asyncio.to_thread(self._read, read))
        except _MissingError:
            return json_answer({"error": "there is no record of it"}, 404)
        except UnreachableError as error:
            return json_answer({"error": f"the record cannot be read: {error}"}, 503)
        except JournalError as error:
            log.warning("the page of rounds: %s", error)
            return json_answer({"error": "the record cannot be read now; see the log, and journal verify"}, 500)
        finally:
            self._waiting -= 1

    def _read(self, read: Callable[[Entries], Document]) -> Document:
        with self._journal() as journal:
            return read(journal)

    @contextmanager
    def _journal(self) -> Iterator[Entries]:
        try:
            table = TableClient(self._place)
        except UnreachableError:
            if not os.access(self._file, os.R_OK):
                raise
            with copy_of(self._file) as journal:
                yield journal
            return
        with table:
            yield RunningJournal(table)
