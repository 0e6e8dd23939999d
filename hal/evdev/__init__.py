"""Devices with a Linux input driver, such as USB keypads, through evdev."""
