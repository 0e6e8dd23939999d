"""One tree of errors for everything that can go wrong at the hardware boundary."""


class HalError(Exception):
    """A device cannot do what was asked. The message names the device, its pin or port, and the remedy."""


class UnknownBackendError(HalError):
    """The configuration names a backend that does not exist for this kind of device."""


class LibraryMissingError(HalError):
    """The backend needs a library that is not installed; the message names the extra that brings it."""


class DeviceMissingError(HalError):
    """A chip, port or device file is not there; the message lists those that are."""


class DeviceBusyError(HalError):
    """Somebody else holds a pin or a port; the message says who, where the kernel tells."""


class NoPermissionError(HalError):
    """The user may not use a device; the message names the group that may."""


class UnknownLineError(HalError):
    """A command names a sensor line, control, switch or lamp that the device does not have."""


class PinError(HalError):
    """A pin cannot be had or used; the message names device, control and pin, and the remedy."""
