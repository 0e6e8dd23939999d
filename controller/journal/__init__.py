"""The record: every event and decision, in a tamper-evident journal."""
