"""The error that a person can put right, and the exit codes of every command."""

OK = 0
FAILED = 1
"""A check failed: an expectation of a scenario, the journal's chain, a device, an installed file, or a replay of a
round that the same version decided. A round that another version decided differently is not a failure."""
USAGE = 2
CONFIGURATION = 78
"""``EX_CONFIG``: the configuration or an installed file is wrong. systemd does not restart the table then."""


class UserError(Exception):
    """Something that a person can put right; the text says where, and what to do. Nothing was changed.

    A command that raises it prints the text and ends with the error's ``exit_code``.
    """

    exit_code = FAILED


class UsageError(UserError):
    """The words of a command do not fit one another."""

    exit_code = USAGE
