"""Devices that the Linux kernel has an input driver for, such as USB keypads, by evdev."""
