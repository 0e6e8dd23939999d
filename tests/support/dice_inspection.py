"""The opening inspection of a table with keyed-in dice."""

from collections.abc import Callable

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.games.dice.bench import watch_lamps

ROLLS = ("123", "444", "566")


def inspect_dice(rig: Rig) -> None:
    """Failed keys, three values, every lamp alone, and three cycles of an automated shaker."""
    rig.floor("inspect")
    while rig.state.value == "inspection-key":
        rig.press(rig.machine.data.failed_keys[0])
    values(rig, *ROLLS)
    watch_lamps(rig)
    rig.floor()
    while rig.state.value == "inspection-shaker":
        rig.press("shaker-done")
        rig.floor()


def values(rig: Rig, *rolls: str) -> None:
    """Key values, each confirmed."""
    for roll in rolls:
        rig.press(*roll, "enter")
        rig.floor()


def open_dice(rig: Rig) -> Rig:
    """New dice, then the opening inspection."""
    rig.floor("renew")
    inspect_dice(rig)
    assert rig.state.value == "bets-open", rig.waiting_for
    return rig


def automated(shipped: Callable[[str], TableConfig]) -> Rig:
    """The shipped Sic Bo table with an automated shaker."""
    config = shipped("sic-bo")
    return Rig(config.model_copy(update={"dice": config.dice.model_copy(update={"shaker": "automated"})}))


def open_automated(shipped: Callable[[str], TableConfig]) -> Rig:
    """The same, open for wagers."""
    return open_dice(automated(shipped))
