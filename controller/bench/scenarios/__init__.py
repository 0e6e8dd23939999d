"""Tables that are run from a file, unattended."""
