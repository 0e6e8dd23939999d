"""What the tests of the configuration share: the shipped tables, and the problems of a changed one."""

from collections.abc import Callable

import pytest
from project import ROOT

from config.loader import load_text
from config.problems import ConfigError, Problem
from controller.configuration.rules import RULES

TABLES = ROOT / "config" / "tables"

Problems = Callable[[str | bytes], tuple[Problem, ...]]


@pytest.fixture(scope="session")
def table() -> str:
    """The text of the Big Six table, to be changed."""
    return (TABLES / "big-six.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def sic_bo() -> str:
    """The text of the Sic Bo table, to be changed."""
    return (TABLES / "sic-bo.yaml").read_text(encoding="utf-8")


@pytest.fixture(scope="session")
def problems() -> Problems:
    """The problems of a file with these contents; none if it can be used."""

    def of(text: str | bytes) -> tuple[Problem, ...]:
        try:
            load_text(text if isinstance(text, bytes) else text.encode(), "table.yaml", RULES)
        except ConfigError as error:
            return error.problems
        return ()

    return of
