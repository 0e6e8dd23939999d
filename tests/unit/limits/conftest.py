"""A table with limits."""

from collections.abc import Callable

import pytest
from limits_table import new, with_limits

from config.schema import TableConfig
from controller.bench.rig import Rig


@pytest.fixture
def file(shipped: Callable[[str], TableConfig]) -> TableConfig:
    """Dreamcatcher's with limits."""
    return with_limits(shipped("dreamcatcher"))


@pytest.fixture
def table(file: TableConfig) -> Rig:
    """Dreamcatcher with limits, open for wagers."""
    return new(file)
