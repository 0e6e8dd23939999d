"""A test that leaves a journal or a store open is named, on every version of Python."""

import gc
import sqlite3

from open_connections import left_open


def test_a_connection_that_is_not_closed_is_noted_with_the_test_that_opened_it() -> None:
    before = [*left_open]
    sqlite3.connect(":memory:")
    gc.collect()  # A connection and its cache of statements hold each other.
    (noted,) = left_open[len(before) :]
    left_open[:] = before
    assert noted.startswith("tests/house/test_open_connections.py::test_a_connection_that_is_not_closed")


def test_one_that_is_closed_is_not() -> None:
    before = [*left_open]
    sqlite3.connect(":memory:").close()
    gc.collect()
    assert left_open == before
