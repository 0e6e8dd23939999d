"""Finds failures of the controller's own code at a simulated table, also those that did not stop the table.

A machine or a tracker that raises locks its table and is recorded (``machine-failed``); a failure elsewhere, such
as in a screen, is only logged. Both are defects.
"""

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

_LOGGER = "controller"


class _Collects(logging.Handler):
    """Keeps every logged exception, as text with its log message."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.found: list[tuple[str, str]] = []

    def emit(self, record: logging.LogRecord) -> None:
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            self.found.append((f"{type(error).__name__}: {error}", record.getMessage()))


@contextmanager
def exceptions_in_log() -> Iterator[list[tuple[str, str]]]:
    """Collects the exceptions that the controller logs in the meantime: each as text, with its log message."""
    collects, logger = _Collects(), logging.getLogger(_LOGGER)
    logger.addHandler(collects)
    try:
        yield collects.found
    finally:
        logger.removeHandler(collects)


def with_logged(failures: Sequence[str], logged: Sequence[tuple[str, str]]) -> list[str]:
    """Failures on record, and those that were logged and are not on record."""
    unseen = list(failures)
    further = []
    for error, message in logged:
        of_record = next((failure for failure in unseen if failure.endswith(error)), None)
        if of_record is None:
            further.append(f"{message}: {error}")
        else:
            unseen.remove(of_record)
    return [*failures, *further]
