"""The hardware boundary: the interfaces of a table's devices, and the backends that implement them.

Start with :mod:`hal.interfaces` (the capabilities) and :mod:`hal.events` (the events that cross the boundary).
A backend is a folder named as in the configuration, with one file a device: ``hal/mock/edges.py``.
"""
