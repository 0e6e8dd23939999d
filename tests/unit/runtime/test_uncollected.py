"""The search for cycles of objects is put off while software is loaded, and only then."""

import gc
import weakref

import pytest

from controller.runtime.uncollected import uncollected


class Knot:
    """An object that refers to itself."""

    def __init__(self) -> None:
        self.itself = self


@pytest.mark.campaign
def test_what_was_made_meanwhile_is_collected_later() -> None:
    with uncollected():
        assert not gc.isenabled()
        made = weakref.ref(Knot())
    assert gc.isenabled()
    assert gc.get_freeze_count() == 0
    gc.collect()
    assert made() is None


def test_who_had_put_it_off_before_still_has() -> None:
    gc.disable()
    try:
        with uncollected():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
