"""Devices on a serial line, by pyserial: wheel readers and keypads."""
