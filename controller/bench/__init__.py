"""The bench: a table on simulated hardware, for technicians, scenarios, statistics and the tests."""
