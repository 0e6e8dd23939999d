"""What every backend of an interface must do.

A test file of a backend subclasses the contract of its kind and gives it a *bench*: the device, and access to the
wiring below it (the pins, the other end of a serial line). The contracts say what the device must do; the benches,
how it is driven.
"""
