"""Brings a floor's store to this software's version: a module of ``versions`` is one step, and is never changed.

How one is added: CONTRIBUTING.md, "Changing the floor's schema".
"""
