"""Runs a shipped table until it is ready, as ``run`` does, and prints what was loaded by then (test_start.py)."""

import json
import logging
import os
import sys

OURS = ("config", "controller", "hal")


def report() -> None:
    """The modules, and the data classes of this software, whose methods Python compiles at each start."""
    modules = dict(sys.modules)
    ours = {name: module for name, module in modules.items() if name.partition(".")[0] in OURS}
    classes = {
        f"{one.__module__}.{one.__qualname__}"
        for module in ours.values()
        for one in vars(module).values()
        if isinstance(one, type) and "__dataclass_fields__" in vars(one) and one.__module__ in ours
    }
    print(json.dumps({"modules": sorted(modules), "classes": sorted(classes)}), flush=True)


class UntilReady(logging.Filter):
    """Ends the process when the table says that it is ready."""

    def filter(self, record: logging.LogRecord) -> bool:
        if "is ready" in record.getMessage():
            report()
            os._exit(0)
        return True


logging.getLogger("table").addFilter(UntilReady())
from controller.commands.cli import main  # noqa: E402  # What the measurement itself loads counts for nothing.

sys.exit(main())
