"""Tables that run by a file, unattended."""
