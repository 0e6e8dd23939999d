"""Tells receivers of alerts over HTTP: each start, acknowledgement, escalation and end, at least once."""
