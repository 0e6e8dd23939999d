"""Dice and cards that reach their age before a round begins."""

import pytest

from controller.bench.rig import Rig

AGE_S = 24.1 * 3600
WAYS = pytest.mark.parametrize("leaves", ["stays", "clear", "power cut"])
"""The floorperson's menu is not opened, or opened and left by a key or a power cut."""


def reach_age(table: Rig, leaves: str) -> None:
    """Let the age pass, with the floorperson's menu open or not."""
    if leaves != "stays":
        table.press("floor-key")
        assert table.state.value == "floor-menu"
    table.wait(AGE_S)
    if leaves == "clear":
        table.press("clear")
    elif leaves == "power cut":
        table.power_cut()
