"""``floor --export``: what the floor's store has, as CSV on standard output."""

import sys
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from config.floor import FloorConfig
from controller.commands.console import complain
from controller.commands.progress import shown_progress
from controller.runtime import exit_codes as exits

if TYPE_CHECKING:
    from sqlalchemy import Engine

WHAT = ("rounds", "spins", "alerts", "sums")
"""What can be exported; a test holds it against the floor's list, which needs the floor's libraries."""
_SCOPE = ("from", "to", "table", "wheel", "dealer", "game")


def configure_export(parser: ArgumentParser) -> None:
    """Add the options."""
    group = parser.add_argument_group("export", "print what the store has as CSV, and end")
    group.add_argument("--export", choices=WHAT, metavar="WHAT", help=f"what: {', '.join(WHAT)}")
    group.add_argument(
        "--from", metavar="TIME", help="from this time on, as 2026-11-21 or 2026-11-21T17:42Z; absent: the last day"
    )
    group.add_argument("--to", metavar="TIME", help="up to this time; absent: now")
    for name in _SCOPE[2:]:
        group.add_argument(f"--{name}", metavar="NAME", help=f"of this {name} alone")


def refused_options(arguments: Namespace) -> str:
    """What does not fit together among the options; empty if nothing."""
    given = vars(arguments)
    alone = [name for name in _SCOPE if given[name] and not arguments.export]
    return f"--{alone[0]} goes with --export" if alone else ""


def export(config: FloorConfig, arguments: Namespace) -> int:
    """Print the rows; returns the exit code."""
    from sqlalchemy.exc import SQLAlchemyError

    from controller.floor.store.engine import StoreError, error_text

    try:
        engine = _existing_store(config.store.url)
    except StoreError as error:
        complain(f"floor: {error}")
        return exits.CONFIGURATION
    try:
        _write(engine, arguments)
    except SQLAlchemyError as error:
        complain(f"floor: the store cannot be read: {error_text(error)}; what was printed is not complete")
        return exits.FAILED
    except ValueError as error:
        complain(f"floor: {error}")
        return exits.FAILED
    finally:
        engine.dispose()
    return exits.OK


def _existing_store(url: str) -> "Engine":
    """The store; unlike the floor, an export makes none.

    Raises:
        StoreError: it is not there, or cannot be used.
    """
    from controller.floor.store.engine import StoreError, open_engine, parse_url

    parsed = parse_url(url)
    if parsed.get_backend_name() == "sqlite" and not Path(str(parsed.database)).is_file():
        raise StoreError(
            f"store.url names {parsed.database}, which is no file; the floor makes it when it first runs"
        )
    return open_engine(url)


def _write(engine: "Engine", arguments: Namespace) -> None:
    from controller.floor.exports.csv_export import export_csv
    from controller.floor.exports.export_rows import count_rows
    from controller.floor.exports.export_tables import EXPORTS
    from controller.floor.queries.scope import scope_of

    given, table = vars(arguments), EXPORTS[arguments.export]
    query = {name: given[name] for name in _SCOPE if given[name]}
    scope = scope_of(query, time.time_ns() // 1_000_000, known=table.parameters)
    with engine.connect() as store:
        if store.dialect.name == "postgresql":
            store = store.execution_options(isolation_level="REPEATABLE READ")
        count = count_rows(store, table, scope)
        with shown_progress("rounds" if table.of_rounds else table.name, count) as advance:
            for piece in export_csv(store, table, scope, advance):
                sys.stdout.buffer.write(piece)
    sys.stdout.flush()
