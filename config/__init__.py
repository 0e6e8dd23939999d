"""What a technician edits (``config/tables/*.yaml``) and the code that reads it.

This package knows YAML and the shape of a table's file. What a game demands of it (areas, odds, controls) is
handed to the loader as rules, so that nothing here depends on games or hardware.
"""
