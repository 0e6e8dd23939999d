"""Opens a sensor head and counts its edges: listen.py OPTIONS_JSON PINS_JSON SECONDS.

Prints the levels once it listens, and at the end, when nothing has come for so long, how many edges came, how many
the sequence numbers say were lost, and whether the stamps ever ran backwards: a JSON object each.
"""

import asyncio
import json
import sys
import time
from types import SimpleNamespace

from pydantic import create_model

from hal.clock import LoopClock
from hal.events import EdgeBatch
from hal.registry import open_device


async def main(options: dict, pins: dict, patience_s: float) -> None:
    wired = create_model("Pins", **{name: (int, pin) for name, pin in pins.items()})()
    head = open_device("edges", "gpiod", SimpleNamespace(pins=wired), options, LoopClock())
    seen = {"edges": 0, "lost": 0, "backwards": 0, "text": ""}
    expected, last_ns, heard_s = 1, 0, time.monotonic()

    def deliver(batch: EdgeBatch) -> None:
        nonlocal expected, last_ns, heard_s
        seen["edges"] += len(batch)
        for number, at_ns in zip(batch.seqnos, batch.timestamps_ns, strict=True):
            seen["lost"] += number - expected
            seen["backwards"] += at_ns < last_ns
            expected, last_ns = number + 1, at_ns
        seen["text"] = (seen["text"] + batch.edges.decode())[-200:]
        heard_s = time.monotonic()

    head.start(deliver)
    print(json.dumps({"levels": head.levels()}), flush=True)
    while time.monotonic() - heard_s < patience_s:
        await asyncio.sleep(0.05)
    print(json.dumps(seen), flush=True)


asyncio.run(main(json.loads(sys.argv[1]), json.loads(sys.argv[2]), float(sys.argv[3])))
