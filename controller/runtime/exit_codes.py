"""Exit codes of every command."""

OK = 0
FAILED = 1
"""A check failed: an expectation of a scenario, the journal's chain, a device, an installed file, or a replay of a
round that the same version decided. A round that another version decided differently is not a failure."""
USAGE = 2
CONFIGURATION = 78
"""``EX_CONFIG``: the configuration or an installed file is wrong. systemd does not restart the table then."""
