"""Devices behind a chain of 74HC595 shift registers. Backend ``hc595``.

:mod:`hal.hc595.chain` is the wires, :mod:`hal.gpiozero.factories` the libraries that drive them; the files named
after kinds of device are the backends.
"""
