"""Turns errors of gpiozero and the libraries below it into messages for a technician, with the remedy."""

from traceback import clear_frames

import gpiozero

from hal.errors import PinError

_DENIED = (
    "this user may not use the pins; add it to the group gpio with: sudo usermod -aG gpio $USER, then log in again"
)
_BY_TYPE: tuple[tuple[type[Exception], str], ...] = (
    (gpiozero.GPIOPinInUse, "another device of this table has the pin; give each device a pin of its own"),
    (
        gpiozero.PinFixedPull,
        "the board itself pulls this pin up; wire the contact to ground, or use another pin than 2 and 3",
    ),
    (gpiozero.PinInvalidPin, "this Raspberry Pi has no such pin; use a BCM number from 2 to 27"),
    (
        gpiozero.PinUnknownPi,
        "this computer is no Raspberry Pi that gpiozero knows; run the table on one, "
        "or try it without hardware: table-controller bench",
    ),
    (gpiozero.DeviceClosed, "the device is closed; start the table again"),
    (PermissionError, _DENIED),
    (
        FileNotFoundError,
        "there is no such GPIO chip (/dev/gpiochip*); run the table on a Raspberry Pi, and correct the option chip",
    ),
)
# Some libraries raise the same error for everything and give the cause only in the text.
_BY_WORDS = (
    ("busy", "another program or a device-tree overlay has the pin; gpioinfo shows which, stop it"),
    ("not allocated", "another program took the pin away; gpioinfo shows which, stop it"),
    ("/dev/gpiomem", _DENIED),
    ("/dev/mem", _DENIED),
)


def release_devices(error: BaseException) -> None:
    """Release devices whose construction failed: the error's traceback refers to them, and they hold their pins."""
    kept: BaseException | None = error
    while kept is not None:
        clear_frames(kept.__traceback__)
        kept = kept.__context__


def explained(what: str, error: Exception) -> PinError:
    """The error as a message for a technician.

    Args:
        what: device, control and pin.
    """
    release_devices(error)
    text = str(error)
    if isinstance(error, PinError):
        return PinError(f"{what}: {text}")
    for kind, words in _BY_TYPE:
        if isinstance(error, kind):
            return PinError(f"{what}: {words}")
    for part, words in _BY_WORDS:
        if part in text:
            return PinError(f"{what}: {words}")
    return PinError(
        f"{what}: {text or type(error).__name__}; check wiring and options, and see dmesg for the cause"
    )
