"""One tree of errors for everything that can go wrong at the hardware boundary."""

from collections.abc import Iterable


class HalError(Exception):
    """A device cannot do what was requested. The message names the device, its pin or port, and the remedy."""


class UnknownBackendError(HalError):
    """The configuration names a backend that does not exist for this kind of device."""


class LibraryMissingError(HalError):
    """The backend needs a library that is not installed; the message names the extra that brings it."""


class UnknownLineError(HalError):
    """A command names a sensor line, control, switch or lamp that the device does not have."""


def check_known(what: str, name: str, known: Iterable[str]) -> None:
    """Refuse a name that a device does not have.

    Raises:
        UnknownLineError: naming those it has.
    """
    known = list(known)
    if name not in known:
        raise UnknownLineError(f"no {what} '{name}'; there are: {', '.join(known)}")
