"""Show a table's limits, announce new limits, or withdraw them.

A proposal waits until the floorperson's key confirms it at the table.

examples:
  table-controller limits table.yaml
      shows the limits in effect and the announced limits
  table-controller limits table.yaml set --minimum 10 --maximum 500 --in 30
      announces new limits, in effect in half an hour
  table-controller limits table.yaml set --minimum 25 --maximum 1000 --no-payout-limit --at 18:30
      announces new limits by the local clock, without a limit on payouts
  table-controller limits table.yaml withdraw
      withdraws the announced limits
  table-controller limits table.yaml file
      proposes the limits, odds and rules of the table's file
"""

import os
import re
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from controller.commands.local_time import local_time
from controller.commands.output import print_json
from controller.configuration.shipped import LoadedTable, find_table
from controller.errors import OK, UsageError, UserError
from controller.events.event import Limits
from controller.journal.errors import JournalDamagedError
from controller.journal.journal_file import holder
from controller.journal.reading import copy_of
from controller.journal.recovery import table_state_of
from controller.limits.proposals import differs
from controller.limits.table_state import TableState
from controller.limits.terms import (
    FARTHEST_MIN,
    NOTICE_MIN,
    NS_PER_MIN,
    NS_PER_S,
    currency_of,
    file_terms,
    limits_from,
    limits_text,
)
from controller.runtime.media import files_of
from controller.runtime.socket import reached_at
from controller.runtime.table_client import TableClient, UnreachableError

_TIME = re.compile("([01][0-9]|2[0-3]):[0-5][0-9]")
_ASK_S, _LONGEST_S = 0.5, 300.0
"""The interval and the time limit for polling the outcome of a proposal: identification may take a while."""


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("table", metavar="GAME|FILE", help="the table's YAML file, or a game for its shipped table")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument("--journal", type=Path, metavar="FILE", help="another journal than the configured one")
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    change = actions.add_parser("set", help="announce other limits, or change them at once if nobody plays")
    change.add_argument("--minimum", required=True, metavar="AMOUNT", help="the least wager")
    change.add_argument("--maximum", required=True, metavar="AMOUNT", help="the highest wager")
    payout = change.add_mutually_exclusive_group()
    payout.add_argument("--payout", metavar="AMOUNT", help="the most that is paid out in a round")
    payout.add_argument("--no-payout-limit", action="store_true", help="pay out without such a limit")
    when = change.add_mutually_exclusive_group(required=True)
    when.add_argument("--at", type=_time, metavar="HH:MM", help="the time at which they take effect")
    when.add_argument("--in", dest="minutes", type=_minutes, metavar="MINUTES", help="in 30 to 1440 minutes")
    when.add_argument("--nobody-plays", action="store_true", help="at once, as nobody plays")
    actions.add_parser("withdraw", help="take back what was announced")
    actions.add_parser("file", help="confirm the limits and odds that the table's file has by now")


def _time(word: str) -> datetime:
    """The next moment at which the local clock shows a time."""
    if not _TIME.fullmatch(word):
        raise ArgumentTypeError(f"'{word}' is not a time; write it as 18:30")
    now = datetime.now()
    at = now.replace(hour=int(word[:2]), minute=int(word[3:]), second=0, microsecond=0)
    return at if at > now else at + timedelta(days=1)


def _minutes(word: str) -> int:
    if not (word.isascii() and word.isdigit() and len(word) < 6 and NOTICE_MIN <= int(word) <= FARTHEST_MIN):
        raise ArgumentTypeError(
            f"'{word}' is not possible; {NOTICE_MIN} to {FARTHEST_MIN} minutes (§ 521.8(c)(2)(i))"
        )
    return int(word)


def run(arguments: Namespace) -> int:
    loaded = find_table(arguments.table)
    actions: dict[str | None, Callable[[Namespace, LoadedTable], int]] = {
        "set": _set,
        "withdraw": _withdraw,
        "file": _of_file,
    }
    return actions.get(arguments.action, _show)(arguments, loaded)


# -- other limits ------------------------------------------------------------------------------------------------


def _set(arguments: Namespace, loaded: LoadedTable) -> int:
    payout = "" if arguments.no_payout_limit else arguments.payout
    try:
        limits_from(arguments.minimum, arguments.maximum, payout or "", "")
    except ValueError as error:
        raise UsageError(str(error)) from error
    amounts = {"minimum": arguments.minimum, "maximum": arguments.maximum}
    if payout is not None:
        amounts["payout"] = payout
    when: dict[str, object] = {"nobody_plays": True}
    if arguments.minutes is not None:
        when = {"minutes": arguments.minutes}
    elif arguments.at is not None:
        when = {"from_utc_ms": round(arguments.at.timestamp() * 1000)}
    return _propose(arguments, loaded, {"set": amounts, **when})


def _withdraw(arguments: Namespace, loaded: LoadedTable) -> int:
    return _propose(arguments, loaded, {"withdraw": True})


def _of_file(arguments: Namespace, loaded: LoadedTable) -> int:
    return _propose(arguments, loaded, {"file": True})


def _propose(arguments: Namespace, loaded: LoadedTable, body: Mapping[str, object]) -> int:
    """Propose to the table, and wait until it is decided."""
    proposal = _ask(arguments, loaded, body)
    print(f"{loaded.config.table}: {proposal['asks']}")
    print(f"turn the floorperson's key at the table within {proposal['waits_s']} s to confirm", flush=True)
    until = time.monotonic() + _LONGEST_S
    while time.monotonic() < until:
        time.sleep(_ASK_S)
        answer = _ask(arguments, loaded, {"ask": proposal["ticket"]})
        if answer["outcome"] == "confirmed":
            print(f"{answer['outcome']}: {answer['words']}")
            return OK
        if answer["outcome"] != "waiting":
            raise UserError(f"{answer['outcome']}: {answer['words']}")
    raise UnreachableError("the table does not decide; see its dealer's screen, and try again")


def _ask(arguments: Namespace, loaded: LoadedTable, request: Mapping[str, object]) -> dict[str, Any]:
    """The answer of the running table, which must be the one of the file.

    Raises:
        UnreachableError: no table or another one answers, or it refuses.
    """
    with TableClient(_place(arguments, files_of(loaded.config, arguments.journal).file)) as table:
        found = table.ask(limits={"show": True})
        if found["table"] != loaded.config.table:
            raise UnreachableError(f"the table that runs is '{found['table']}', not '{loaded.config.table}'")
        answer: dict[str, Any] = found if "show" in request else table.ask(limits=request)
        return answer


def _place(arguments: Namespace, file: Path) -> Path:
    return reached_at(file, arguments.journal is not None)


# -- the limits in effect ----------------------------------------------------------------------------------------


def _show(arguments: Namespace, loaded: LoadedTable) -> int:
    file = files_of(loaded.config, arguments.journal).file
    if holder(file) or (not os.access(file, os.R_OK) and os.path.exists(_place(arguments, file))):
        return _show_running(arguments, loaded)
    recorded = file.exists() or arguments.journal is not None
    table_state = _table_state(loaded.config.game, file) if recorded else TableState()
    _print(arguments, loaded, table_state)
    return OK


def _table_state(game: str, file: Path) -> TableState:
    """The table's state at the end of a journal.

    Raises:
        JournalError: the file is not a journal, or an entry of its last round is damaged.
    """
    with copy_of(file) as journal:
        if problem := journal.missing_at_end():
            raise JournalDamagedError(f"{file}: {problem}")
        return table_state_of(game, journal)


def _show_running(arguments: Namespace, loaded: LoadedTable) -> int:
    limits = _ask(arguments, loaded, {"show": True})["limits"]
    if arguments.json:
        print_json({"table": loaded.config.table, "limits": limits})
        return OK
    if not isinstance(limits, dict):
        print("no limits: the table's file has none")
        return OK
    print(f"in effect: {_of(limits)}")
    if limits["pending"] is not None:
        print(f"announced: {_of({**limits, **limits['pending']})} from {limits['pending']['at']} on")
    return OK


def _of(limits: Mapping[str, str]) -> str:
    if not limits["minimum"]:
        return "none"
    return limits_text(Limits(*(limits[name] for name in ("minimum", "maximum", "payout", "currency"))))


def _print(arguments: Namespace, loaded: LoadedTable, table_state: TableState) -> None:
    terms, pending = file_terms(loaded.config), table_state.pending
    file, present = terms.limits, table_state.limits
    currency = present.currency if present is not None else currency_of(loaded.config.limits)
    if arguments.json:
        print_json(_data(loaded, table_state, file, currency))
        return
    if present is not None:
        print(f"in effect: {limits_text(present)}")
    elif file is not None:
        print(f"none on record yet; those of the table's file count from its next start: {limits_text(file)}")
    elif loaded.config.limits is not None:
        print("no limits on the table's sign: they are posted elsewhere")
    else:
        print("no limits: neither the record nor the table's file has any")
    if pending is not None:
        left_min = -(-(pending.from_utc_ns - time.time_ns()) // NS_PER_MIN)
        left = f"in {left_min} min" if left_min > 0 else "due; it takes effect with a round of a table that runs"
        words = limits_text(pending.limits)
        print(f"announced: {words} from {local_time(pending.from_utc_ns)} on ({left})")
    if note := differs(terms, table_state, currency):
        print(f"note: {note}")


def _data(loaded: LoadedTable, table_state: TableState, file: Limits | None, currency: str) -> dict[str, object]:
    pending = table_state.pending
    announced = None
    if pending is not None:
        at = datetime.fromtimestamp(pending.from_utc_ns // NS_PER_S, UTC)
        announced = {**_amounts(pending.limits), "from": at.isoformat().replace("+00:00", "Z")}
    return {
        "table": loaded.config.table,
        "currency": currency,
        "limits": _amounts(table_state.limits) if table_state.limits is not None else None,
        "pending": announced,
        "file": _amounts(file) if file is not None else None,
    }


def _amounts(amounts: Limits) -> dict[str, object]:
    return {"minimum": amounts.minimum, "maximum": amounts.maximum, "payout": amounts.payout or None}
