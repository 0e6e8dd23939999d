"""Plays recorded rounds into the present code: the only module that follows it (:mod:`reference.rounds_data`).

:class:`reference.code_4aa17a3a.Code` starts a table at scripted devices and reads its outcomes. Once other code
starts a table otherwise or puts something else on record, another class does that here. Where the code decides
otherwise on purpose, the differences show it: data are never written anew for that.
"""

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from functools import partial
from pathlib import Path

from hal.mock.clock import VirtualClock
from reference.code_4aa17a3a import Code, config_of
from reference.rounds_data import Case, Outcome, compare, load
from reference.scripted import ScriptedHead, ScriptedTable

__all__ = ["DATA", "differences", "load", "play"]
DATA = Path(__file__).with_name("rounds.4aa17a3a.gz")


def differences(case: Case) -> list[str]:
    """Where the present code decides otherwise than on record, each as ``KIND: where: what``."""
    try:
        return compare(case, play(case))
    except Exception as error:  # noqa: BLE001 Whatever it raises is a difference.
        return [f"STATE: {case.game}, {case.name}: the code raises {type(error).__name__}: {error}"]


def play(case: Case) -> list[Outcome]:
    """What the present code makes of a case."""
    config, clock = config_of(case.table), VirtualClock()
    keys = [name for name in ("buttons", "keypad", "keyboard") if getattr(config.devices, name) is not None]
    make = partial(Code, config, case.people, case.session_s, clock)
    table, at_ns = ScriptedTable(make, keys, clock, ScriptedHead(case.edges, clock)), 0
    with closing(table.code), _without_log():
        for number, given in enumerate(case.inputs):
            at_ns += given[0]
            clock.advance_to(at_ns)
            table.give(number, given)
    return table.outcomes


@contextmanager
def _without_log() -> Iterator[None]:
    before = logging.root.manager.disable
    logging.disable()
    try:
        yield
    finally:
        logging.disable(before)
