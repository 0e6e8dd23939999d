"""``python -m controller``: the same as ``table-controller``."""

import sys

from controller.commands.cli import main

sys.exit(main())
