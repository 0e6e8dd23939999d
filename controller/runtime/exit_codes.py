"""Exit codes of every command."""

OK = 0
FAILED = 1
"""A check failed: an expectation of a scenario, the journal's chain, a device, an installed file, a round that this
software decided and decides otherwise now. What another version decided by its own rules is no failure."""
USAGE = 2
CONFIGURATION = 78
"""``EX_CONFIG``: the configuration or an installed file is wrong, and would be again; systemd does not restart."""
