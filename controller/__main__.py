"""``python -m controller``: the same as ``table-controller``."""

import sys

from controller.cli import main

sys.exit(main())
