"""What weeks of play do to a simulated wheel's leather, and what a new leather changes.

Rates are estimates: places move by tenths of a degree over weeks, and jump when the leather is replaced.
"""

import math

import numpy as np

from hal.mock.settings import WheelSettings

_SOFTENS_WEEKS = 40.0  # In which a leather loses two thirds of its strength.
_SETS_WEEKS = 6.0
_SET_DEG = 0.35
_WEARS_DEG_A_WEEK = 0.02
_LEAST_SLIP = 0.6
_NEW = 0x1EA7


def aged(settings: WheelSettings, weeks: float) -> WheelSettings:
    """The same wheel after so many weeks with the same leather.

    It softens, gives back less, takes a set to the side to which most throws bend it (the seed says which), slips
    off sooner as its tip wears, and must be bent further until it closes the contact.
    """
    side = 1 if settings.seed % 2 else -1
    softer = math.exp(-weeks / _SOFTENS_WEEKS)
    set_deg = settings.set_deg + side * _SET_DEG * (1 - math.exp(-weeks / _SETS_WEEKS))
    slip_deg = max(settings.slips_off_deg - _WEARS_DEG_A_WEEK * weeks, settings.slips_off_deg * _LEAST_SLIP)
    return _changed(
        settings,
        peg_j=settings.peg_j * softer,
        restitution=settings.restitution * math.sqrt(softer),
        set_deg=max(-1.5, min(1.5, set_deg)),
        slip_deg=slip_deg,
        threshold_deg=min(settings.threshold_deg * (1 + weeks / 100), slip_deg / 2),
    )


def with_new_leather(settings: WheelSettings, seed: int) -> WheelSettings:
    """The same wheel with a new leather, cut and screwed on by hand, so that all places differ from the old one's.

    Args:
        seed: of what the new leather is like.
    """
    rng = np.random.default_rng((seed, _NEW))
    return _changed(
        settings,
        leather_mm=max(2.0, settings.leather_mm + rng.uniform(-1, 1)),
        set_deg=max(-1.5, min(1.5, rng.normal(0, 0.2))),
        slip_deg=settings.slips_off_deg * rng.uniform(0.9, 1.1),
        peg_j=settings.peg_j * rng.uniform(0.85, 1.2),
        threshold_deg=settings.threshold_deg * rng.uniform(0.9, 1.1),
    )


def _changed(settings: WheelSettings, **options: float) -> WheelSettings:
    """Checked again, as a file's options are."""
    return WheelSettings.model_validate({**settings.model_dump(), **options})
