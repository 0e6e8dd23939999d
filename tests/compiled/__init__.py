"""The compiled form against the plain one: ``make test-compiled``."""
