"""What a technician does at a table before it opens: selftest and calibration."""
