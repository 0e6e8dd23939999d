"""The contract of the floor's migrations: stores of earlier versions, and what interrupts a migration.

Beside the subclass, fixtures of the module or wider: ``fresh`` gives the URL of a new database at each call,
``loaded`` that of one with the dump of a version.
"""

import gzip
import json
import logging
import subprocess
import sys
import threading
from collections.abc import Callable
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from floor_messages import LATER_NS, arrived, record
from sqlalchemy import Column, Engine, MetaData, String, Table, create_engine, event, inspect, text

from contracts.floor_store_cases import opened
from contracts.loop import PATIENCE_S
from controller.floor.store import schema
from controller.floor.store.engine import StoreAwayError, StoreError, open_engine
from controller.floor.store.migrations.versions import version_5
from tests.golden.floor_store import DUMPS, content

Load = Callable[[str], str]
LATEST = 4
"""The version of the latest dump."""
DROPPED = {"alerts": ("acknowledged", "acknowledged_by", "reason", "escalated"), "settlements": ("origin",)}
"""Columns that later versions have no more."""
DROPPED_TABLES = ("wheel_days",)
_KILLED = """
import os, signal
from controller.floor.store import engine
from controller.floor.store.migrations.versions import version_5
after = version_5.upgrade
def upgrade(op):
    after(op)
    op.execute("DELETE FROM rounds")
    os.kill(os.getpid(), signal.SIGKILL)
version_5.upgrade = upgrade
engine.open_engine({url!r})
"""


class BrokenError(Exception):
    """A defect of a revision."""


def expected(version: int) -> dict[str, list[dict[str, Any]]]:
    """All that was in a store of a version when it was dumped, but for what was dropped since."""
    found = json.loads(gzip.decompress((DUMPS / f"version-{version}.json.gz").read_bytes()))
    return {
        table: [{name: row[name] for name in row if name not in DROPPED.get(table, ())} for row in rows]
        for table, rows in found.items()
        if table not in DROPPED_TABLES
    }


def of_then(url: str, version: int = LATEST) -> dict[str, list[dict[str, Any]]]:
    """What a store has of the tables and columns of a version."""
    names: dict[str, list[str]] = {name: list(rows[0]) if rows else [] for name, rows in expected(version).items()}
    return content(url, names)


def differences(url: str, metadata: MetaData = schema.metadata) -> list[Any]:
    """How a store's tables differ from those of the code, as Alembic finds; comments may differ."""
    engine = open_engine(url)
    with engine.connect() as db:
        context = MigrationContext.configure(db, opts={"include_object": _is_ours})
        found = compare_metadata(context, metadata)
    engine.dispose()
    return [one for one in found if "comment" not in str(one[0])]


def _is_ours(_one: object, name: str | None, kind: str, *_: object) -> bool:
    """All but Alembic's own table, and partitions of the rounds."""
    return kind != "table" or not str(name).startswith(("alembic_version", "rounds_"))


def stored(url: str) -> tuple[str, str, set[str]]:
    """What a store says of its version, its revision, and the columns of its rounds."""
    engine = create_engine(url)
    with engine.connect() as db:
        version = db.execute(text("SELECT value FROM about WHERE key = 'version'")).scalar_one()
        known = inspect(db).has_table("alembic_version")
        revision = db.execute(text("SELECT version_num FROM alembic_version")).scalar_one() if known else ""
        columns = {str(one["name"]) for one in inspect(db).get_columns("rounds")}
    engine.dispose()
    return version, revision, columns


class FloorMigrationsContract:
    """Stores of earlier versions are brought to this one, whole or not at all."""

    @pytest.fixture
    def old(self, loaded: Load) -> str:
        return loaded(f"version-{LATEST}")

    def test_a_store_of_an_earlier_version_keeps_every_row_and_takes_rounds(self, old: str) -> None:
        assert of_then(old) == expected(LATEST)
        store = opened(old)
        assert of_then(old) == expected(LATEST)
        assert stored(old)[:2] == (str(schema.VERSION),) * 2
        sent = record([2] * 3, table="new", salt="new")
        assert store.take([arrived(one, LATER_NS * 2) for one in sent]).rounds == 3
        store.close()
        opened(old).close()
        assert {row["table"] for row in of_then(old)["rounds"]} > {"new"}

    def test_a_new_store_and_one_of_an_earlier_version_have_the_tables_of_the_code(
        self, fresh: Callable[[], str], old: str
    ) -> None:
        """Fails when schema.py has changed without a revision: CONTRIBUTING.md says how one is added."""
        assert differences(fresh()) == []
        assert differences(old) == []

    def test_a_change_of_the_code_without_a_revision_is_noticed(self, fresh: Callable[[], str]) -> None:
        changed = MetaData()
        for table in schema.metadata.sorted_tables:
            table.to_metadata(changed)
        changed.tables["rounds"].append_column(Column("weather", String(8)))
        Table("guests", changed, Column("name", String(8), primary_key=True))
        assert {one[0] for one in differences(fresh(), changed)} == {"add_table", "add_column"}

    def test_what_is_done_is_said_in_the_log(self, old: str, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.INFO, "floor"):
            open_engine(old).dispose()
            said = [one.getMessage() for one in caplog.records if one.name == "floor"]
            lines = [line for line in said if line.startswith("the store")]
            assert lines[0] == "the store, of version 4, is brought to version 5: the day on which a round closed"
            assert lines[-1].startswith(f"the store is of version {schema.VERSION} after ")
            caplog.clear()
            open_engine(old).dispose()
            assert [one for one in caplog.records if "version" in one.getMessage()] == []

    def test_a_revision_that_fails_leaves_the_store_as_it_was(
        self, old: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before, upgrade = stored(old), version_5.upgrade

        def broken(op: Operations) -> None:
            upgrade(op)
            op.execute("DELETE FROM rounds")
            raise BrokenError

        with monkeypatch.context() as patched:
            patched.setattr(version_5, "upgrade", broken)
            with pytest.raises(BrokenError):
                open_engine(old)
        assert (stored(old), of_then(old)) == (before, expected(LATEST))
        open_engine(old).dispose()
        assert stored(old)[:2] == (str(schema.VERSION),) * 2
        assert of_then(old) == expected(LATEST)

    def test_a_process_that_is_killed_meanwhile_leaves_the_store_as_it_was(self, old: str) -> None:
        before = stored(old)
        killed = subprocess.run([sys.executable, "-c", _KILLED.format(url=old)], capture_output=True, text=True)
        assert (killed.returncode, killed.stderr) == (-9, "")
        assert (stored(old), of_then(old)) == (before, expected(LATEST))
        open_engine(old).dispose()
        assert of_then(old) == expected(LATEST)

    def test_of_two_floors_that_start_at_once_one_migrates(self, old: str, monkeypatch: pytest.MonkeyPatch) -> None:
        began, waits, runs, upgrade = threading.Event(), threading.Event(), [], version_5.upgrade

        def counted(op: Operations) -> None:
            runs.append(threading.current_thread().name)
            began.set()
            assert waits.wait(PATIENCE_S), "the other floor asks for the lock before anything else"
            upgrade(op)

        def second() -> None:
            began.wait()
            open_engine(old).dispose()

        def executes(_db: object, _cursor: object, statement: str, *_: object) -> None:
            if threading.current_thread() is other and ("IMMEDIATE" in statement or "advisory" in statement):
                waits.set()  # It asks for the lock that the first one holds.

        other = threading.Thread(target=second)
        monkeypatch.setattr(version_5, "upgrade", counted)
        event.listen(Engine, "before_cursor_execute", executes)
        other.start()
        open_engine(old).dispose()
        other.join()
        event.remove(Engine, "before_cursor_execute", executes)
        assert len(runs) == 1
        assert stored(old)[:2] == (str(schema.VERSION),) * 2

    @pytest.mark.parametrize(
        ("change", "words"),
        [
            ("UPDATE about SET value = '99' WHERE key = 'version'", "version 99, and this software's of version"),
            ("UPDATE alembic_version SET version_num = 'beer'", "revision beer, which this software does not know"),
            ("DROP TABLE alembic_version", "does not say of which revision"),
        ],
    )
    def test_a_store_that_this_software_does_not_know_is_refused_and_left_as_it_is(
        self, fresh: Callable[[], str], change: str, words: str
    ) -> None:
        url = fresh()
        opened(url).close()
        engine = create_engine(url)
        with engine.begin() as db:
            db.execute(text(change))
        engine.dispose()
        with pytest.raises(StoreError, match=words) as error:
            opened(url)
        assert not isinstance(error.value, StoreAwayError), "another try would not help"
