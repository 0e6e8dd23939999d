"""Simulated contacts of door and cabinet. Backend ``mock``."""

from hal.interfaces import Clock, TamperInput, TamperWiring
from hal.mock.settings import MockSettings
from hal.mock.world import World


def open_device(wiring: TamperWiring, settings: MockSettings, clock: Clock) -> TamperInput:
    """A contact for every one of the section; those with a latch remember."""
    latched = (name for name, contact in wiring.contacts.items() if contact.latch is not None)
    return World.of(clock).fit_doors(wiring.contacts, latched)
