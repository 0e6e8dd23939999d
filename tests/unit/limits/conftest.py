"""A table with limits."""

from collections.abc import Callable

import pytest
from limits_table import new, with_limits

from config.schema import TableConfig
from controller.bench.rig import Rig


@pytest.fixture
def table(shipped: Callable[[str], TableConfig]) -> Rig:
    """Dreamcatcher with limits, open for wagers."""
    return new(with_limits(shipped("dreamcatcher")))
