"""A Casino War table with other rules, and its settlement."""

from config.schema import TableConfig
from controller.bench.rig import Rig


def with_rules(config: TableConfig, **rules: object) -> TableConfig:
    return config.model_copy(update={"rules": {**config.rules, **rules}})


def settle(table: Rig) -> list[str]:
    prompts = []
    while table.state.value == "settling":
        prompts.append(table.waiting_for)
        table.press("done")
    return prompts
