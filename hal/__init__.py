"""The hardware boundary: the interfaces of a table's devices, and the backends that implement them.

Start with :mod:`hal.interfaces` (the capabilities) and :mod:`hal.events` (the events that cross the boundary).
:mod:`hal.registry` finds backends by the names in the configuration.
"""
