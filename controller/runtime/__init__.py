"""A table that runs: input, recorder, lamps, session, and what systemd hears."""
