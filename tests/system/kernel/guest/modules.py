"""Modbus modules at the end of a line in the guest: modules.py FOLDER UNIT=COILS ... Writes the coils that are on.

Each time they change, FOLDER/coils is replaced by a JSON object of lists, by unit. Runs until it is killed.
"""

import json
import sys
import time
from pathlib import Path

from modbus_peer import Peer

folder = Path(sys.argv[1])
peer = Peer(folder, dict(map(int, module.split("=")) for module in sys.argv[2:]))
written = None
while True:
    lit = {unit: sorted(peer.coils(unit)) for unit in peer.modules}
    if lit != written:
        (folder / "coils.new").write_text(json.dumps(lit))
        (folder / "coils.new").rename(folder / "coils")
        written = lit
    time.sleep(0.1)
