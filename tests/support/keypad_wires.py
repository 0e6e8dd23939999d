"""A matrix keypad as copper: which columns are joined to a row, through whatever keys are down."""

from collections.abc import Collection

from hal.gpiozero.keypad import Crossing


def joined_columns(down: Collection[tuple[int, int]], row: int) -> set[int]:
    """Current goes through every key, both ways: from row to column, to the next row, and so on."""
    rows, columns = {row}, set()
    while True:
        more_columns = {at for across, at in down if across in rows}
        more_rows = rows | {across for across, at in down if at in more_columns}
        if (more_rows, more_columns) == (rows, columns):
            return columns
        rows, columns = more_rows, more_columns


def reads(down: Collection[tuple[int, int]], rows: int) -> frozenset[Crossing]:
    """What a scan reads while the same keys are down all the time."""
    return frozenset(Crossing(row, at) for row in range(rows) for at in joined_columns(down, row))
