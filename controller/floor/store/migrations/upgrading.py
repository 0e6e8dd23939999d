"""Brings a store to this software's version: which revisions it lacks, and running them, all in one transaction.

Alembic's command line and its ``env.py`` are left aside: they keep the operation that runs in a variable of the
process, while two stores may be opened at once.
"""

import logging
import time
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import Script, ScriptDirectory
from alembic.script.revision import RevisionError
from sqlalchemy import Connection, text

from controller.floor.store.migrations import versions

log = logging.getLogger("floor")
logging.getLogger("alembic").setLevel(logging.WARNING)  # What it does is said by this module, in a floor's words.

EARLIER = ("1", "2", "3", "4")
"""Versions whose software kept no revision in the store."""
BASE = "4"
"""The first version with a revision: those before it are brought to it."""
_LOCK = 0x666C6F6F72
"""The advisory lock of PostgreSQL that is held while a store is created or brought to a version."""


class UnknownRevisionError(ValueError):
    """The store has a revision that this software does not know."""


class Revisions(ScriptDirectory):
    """The modules of ``versions``, imported as any other."""

    def __init__(self) -> None:
        super().__init__(str(Path(__file__).parent))

    def _load_revisions(self) -> Iterator[Script]:
        for found in iter_modules(versions.__path__):
            module = import_module(f"{versions.__name__}.{found.name}")
            yield Script(module, module.revision, str(module.__file__))


def newest() -> str:
    """The version to which the revisions bring a store."""
    return str(Revisions().get_current_head())


def lock(db: Connection) -> None:
    """Let no other process create or migrate the store until the transaction ends; SQLite's is locked already."""
    if db.dialect.name == "postgresql":
        db.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})


def lacking(db: Connection, version: str | None) -> list[Script]:
    """The revisions that a store lacks, in the order in which they are to be run.

    Args:
        version: what the store says that it is; None for a new one.

    Raises:
        UnknownRevisionError: it has a revision that is not here, or none at all.
    """
    present = MigrationContext.configure(db).get_current_revision()
    if present is None and version == BASE:
        present = BASE
    elif present is None and version not in (None, *EARLIER):
        raise UnknownRevisionError(f"the store is of version {version} and does not say of which revision")
    try:
        steps = Revisions().iterate_revisions("head", present or "base")
        return [one for one in steps if one.revision != present][::-1]
    except RevisionError:
        raise UnknownRevisionError(f"the store has revision {present}, which this software does not know") from None


def upgrade(db: Connection, version: str | None) -> bool:
    """Run the revisions that a store lacks, within the transaction: all of them take effect, or none.

    Args:
        version: what the store says that it is; None for a new one.

    Returns:
        whether it lacked any.

    Raises:
        UnknownRevisionError: as :func:`lacking`.
    """
    steps = lacking(db, version)
    if not steps:
        return False
    script = Revisions()
    if version == BASE:
        MigrationContext.configure(db).stamp(script, BASE)
    context = MigrationContext.configure(db, opts={"fn": lambda present, _: script._upgrade_revs("head", present)})
    began_s = time.monotonic()
    if version is not None:
        for step in steps:
            log.info("the store, of version %s, is brought to version %s: %s", version, step.revision, step.doc)
    context.run_migrations(op=Operations(context))
    if version is not None:
        log.info("the store is of version %s after %.1f s", steps[-1].revision, time.monotonic() - began_s)
    return True
