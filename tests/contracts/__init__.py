"""What every backend of an interface must do, whatever drives it.

A test file of a backend subclasses the contract of its kind and gives it a *bench*: the device, and hands below it
(the pins, the other end of a serial line). The contracts say what the device owes; the benches, how it is provoked.
"""
