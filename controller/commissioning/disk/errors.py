"""The errors of a disk's qualification."""


class DiskTrialError(Exception):
    """The trial cannot be made, or not to its end; the message says why and what to do."""


class DiskUsageError(DiskTrialError):
    """The arguments of the command contradict one another; the message says which to use."""
