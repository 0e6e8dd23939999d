"""The hardware boundary: what the controller may ask of a table's devices, and the backends that answer.

Start with :mod:`hal.interfaces` (the capabilities) and :mod:`hal.events` (what crosses the boundary).
A backend is a folder named as in the configuration, with one file a device: ``hal/mock/edges.py``.
"""
