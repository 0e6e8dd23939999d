"""One tree of errors for everything that can go wrong at the hardware boundary."""

import errno
import termios
from collections.abc import Iterable


class HalError(Exception):
    """A device cannot do what was requested. The message names the device, its pin or port, and the remedy."""

    exit_code = 1


class UnknownBackendError(HalError):
    """The configuration names a backend that does not exist for this kind of device."""


class LibraryMissingError(HalError):
    """The backend needs a library that is not installed; the message names the extra that brings it."""


class UnknownLineError(HalError):
    """A command names a sensor line, control, switch or lamp that the device does not have."""


NOT_THERE = (errno.ENOENT, errno.ENODEV, errno.ENXIO)
"""The numbers of errors that a device file is not there."""


def why_not(what: str, path: str, error: Exception, group: str, absent: str) -> str:
    """Why a device file cannot be used, and the remedy.

    Args:
        what: the kind of device, such as ``serial port``.
        group: the group of users that may use it.
        absent: the remedy if it is not there, or is another device.
    """
    number = getattr(error, "errno", None)
    if number in NOT_THERE:
        return f"there is no {what} {path}; {absent}"
    if number in (errno.EACCES, errno.EPERM):
        return f"no permission for the {what} {path}; run: sudo usermod -aG {group} USER, and restart"
    if number in (errno.EAGAIN, errno.EBUSY):
        return f"another process holds the {what} {path}; find it with: sudo fuser -v {path}, and end it"
    why = error.args[-1] if isinstance(error, termios.error) else getattr(error, "strerror", None) or error
    return f"the {what} {path} cannot be used ({why}); {absent}"


def check_known(what: str, name: str, known: Iterable[str]) -> None:
    """Refuse a name that a device does not have.

    Raises:
        UnknownLineError: naming those it has.
    """
    known = list(known)
    if name not in known:
        raise UnknownLineError(f"no {what} '{name}'; there are: {', '.join(known)}")
