"""Devices that speak Modbus RTU on an RS-485 line. Backend ``modbus``.

:mod:`hal.modbus.line` is the line with its timing; the files named after kinds of device are the backends.
"""
