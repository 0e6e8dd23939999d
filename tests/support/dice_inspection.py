"""The opening inspection of a table with keyed-in dice."""

from collections.abc import Callable

from config.schema import TableConfig
from controller.bench.rig import Rig
from controller.games.dice.demo import watch_lamps

ROLLS = ("123", "444", "566")


def inspect_dice(rig: Rig) -> None:
    """The first item of the menu: three values, every lamp alone, and three cycles of an automated shaker."""
    rig.press("floor-key", "1")
    for roll in ROLLS:
        rig.press(*roll, "enter", "floor-key")
    watch_lamps(rig)
    rig.press("floor-key")
    if rig.state.value == "inspection-shaker":
        for _ in range(3):
            rig.press("shaker-done", "floor-key")


def open_dice(rig: Rig) -> Rig:
    """New dice, then the opening inspection before the floorperson."""
    rig.press("floor-key", "2")
    inspect_dice(rig)
    assert rig.state.value == "bets-open", rig.waiting_for
    return rig


def automated(shipped: Callable[[str], TableConfig]) -> Rig:
    """The shipped Sic Bo table with an automated shaker."""
    config = shipped("sic-bo")
    assert config.dice is not None
    return Rig(config.model_copy(update={"dice": config.dice.model_copy(update={"shaker": "automated"})}))


def open_automated(shipped: Callable[[str], TableConfig]) -> Rig:
    """The same, open for wagers."""
    return open_dice(automated(shipped))
