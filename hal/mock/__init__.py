"""Simulated hardware below the boundary: it produces edges, keys and switches, and nothing else.

:mod:`hal.mock.world` holds one table's simulated hardware and the actions of dealer and technician: throw the
wheel, press a key, break a sensor. The files named after kinds of device are the backends.
"""
