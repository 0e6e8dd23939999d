"""Show a table's limits, announce new limits, or withdraw them.

A proposal waits until the floorperson's key confirms it at the table.

examples:
  table-controller limits table.yaml           # shows the limits in effect and the announced limits
  table-controller limits table.yaml set --minimum 10 --maximum 500 --in 30
      announces new limits, in effect in half an hour
  table-controller limits table.yaml set --minimum 25 --maximum 1000 --no-payout-limit --at 18:30
      announces new limits by the local clock, without a limit on payouts
  table-controller limits table.yaml withdraw  # withdraws the announced limits
"""

import re
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Any

from controller.commands.arguments import add_game_or_file, add_journal, add_json, socket_of
from controller.commands.output import show
from controller.configuration.shipped import find_table
from controller.errors import OK, UsageError, UserError
from controller.events.event import Limits
from controller.limits.proposals import asked_for
from controller.limits.terms import currency_of, limits_text
from controller.runtime.table_client import TableClient, UnreachableError

_ASK_S, _LONGEST_S = 0.5, 300.0
"""The interval and the time limit for polling the outcome of a proposal: identification may take a while."""


def configure(parser: ArgumentParser) -> None:
    add_game_or_file(parser)
    add_json(parser)
    add_journal(parser)
    actions = parser.add_subparsers(dest="action", metavar="ACTION")
    change = actions.add_parser("set", help="announce other limits, or change them at once if nobody plays")
    change.add_argument("--minimum", required=True, metavar="AMOUNT", help="the least wager")
    change.add_argument("--maximum", required=True, metavar="AMOUNT", help="the highest wager")
    payout = change.add_mutually_exclusive_group()
    payout.add_argument("--payout", metavar="AMOUNT", help="the most that is paid out in a round")
    payout.add_argument("--no-payout-limit", action="store_true", help="pay out without such a limit")
    when = change.add_mutually_exclusive_group(required=True)
    when.add_argument("--at", type=_time, metavar="HH:MM", help="the time at which they take effect")
    when.add_argument("--in", dest="minutes", type=int, metavar="MINUTES", help="in 30 to 1440 minutes")
    when.add_argument("--nobody-plays", action="store_true", help="at once, as nobody plays")
    actions.add_parser("withdraw", help="take back what was announced")


def _time(word: str) -> int:
    """The next moment at which the local clock shows a time, in milliseconds UTC."""
    if not re.fullmatch("([01][0-9]|2[0-3]):[0-5][0-9]", word):
        raise ArgumentTypeError(f"'{word}' is not a time; write it as 18:30")
    now_s = time.time()
    today = datetime.fromtimestamp(now_s).replace(hour=int(word[:2]), minute=int(word[3:]), second=0, microsecond=0)
    days = (today, today + timedelta(days=1))
    # The hour at which a clock is set back comes twice.
    moments = (day.replace(fold=fold).timestamp() for day in days for fold in (0, 1))
    return round(min(one for one in moments if one > now_s) * 1000)


def run(arguments: Namespace) -> int:
    config = find_table(arguments.table).config
    request = _set(arguments) if arguments.action == "set" else {"withdraw": True}
    try:
        asked_for(request, None, currency_of(config.limits))
    except ValueError as error:
        raise UsageError(str(error)) from error
    with TableClient(socket_of(config, arguments)) as table:
        shown = table.ask(limits={"show": True})
        if shown["table"] != config.table:
            raise UnreachableError(f"the table that runs is '{shown['table']}', not '{config.table}'")
        if arguments.action is None:
            del shown["proposal"]
            show(arguments.json, shown, _lines(shown["limits"]))
            return OK
        print(f"{config.table}: {_decided(table, request)}")
    return OK


def _set(arguments: Namespace) -> dict[str, object]:
    payout = "" if arguments.no_payout_limit else arguments.payout
    amounts = {"minimum": arguments.minimum, "maximum": arguments.maximum, "payout": payout}
    given = {"minutes": arguments.minutes, "from_utc_ms": arguments.at}
    when = {name: value for name, value in given.items() if value is not None} or {"nobody_plays": True}
    return {"set": {name: amount for name, amount in amounts.items() if amount is not None}, **when}


def _decided(table: TableClient, request: Mapping[str, object]) -> str:
    """Propose to the table, and wait until it is decided; returns the words of the confirmation."""
    proposal: dict[str, Any] = table.ask(limits=request)
    print(f"{proposal['asks']}")
    print(f"turn the floorperson's key at the table within {proposal['waits_s']} s to confirm", flush=True)
    until = time.monotonic() + _LONGEST_S
    while time.monotonic() < until:
        time.sleep(_ASK_S)
        latest: dict[str, Any] | None = table.ask(limits={"show": True})["proposal"]
        if latest is None or latest["ticket"] != proposal["ticket"]:
            raise UnreachableError("the table no longer knows this proposal; see its limits, and try again")
        if latest["outcome"] == "confirmed":
            return f"confirmed: {latest['words']}"
        if latest["outcome"] == "refused":
            raise UserError(str(latest["words"]))
    raise UnreachableError("the table does not decide; see its dealer's screen, and try again")


def _lines(limits: Mapping[str, Any] | None) -> Iterator[str]:
    def of(amounts: Mapping[str, str]) -> str:
        return limits_text(Limits(*(amounts[name] for name in ("minimum", "maximum", "payout", "currency"))))

    if limits is None:
        yield "no limits: the table's file has none"
        return
    yield f"in effect: {of(limits) if limits['minimum'] else 'none'}"
    if (pending := limits["pending"]) is not None:
        yield f"announced: {of({**limits, **pending})} from {pending['at']} on"
