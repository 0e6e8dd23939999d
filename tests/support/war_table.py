"""A Casino War table that is open for wagers."""

from config.schema import TableConfig
from controller.bench.rig import Rig


def opened(config: TableConfig) -> Rig:
    table = Rig(config)
    table.press("floor-key", "1", "enter")
    assert table.state.value == "bets-open", table.waiting_for
    return table


def with_rules(config: TableConfig, **rules: object) -> TableConfig:
    return config.model_copy(update={"rules": {**config.rules, **rules}})


def settle(table: Rig) -> list[str]:
    told = []
    while table.state.value == "settling":
        told.append(table.waiting_for)
        table.press("done")
    return told
