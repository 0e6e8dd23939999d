"""Opens a sensor head and counts its edges: listen.py OPTIONS_JSON PINS_JSON SECONDS [COUNTS_PER_TURN].

Prints the levels once it listens, and at the end, when nothing has come for so long, how many edges came, how many
the sequence numbers say were lost, whether the stamps ever ran backwards, and the processor time: a JSON object
each. With counts per turn, a wheel's tracker makes events of the edges besides.
"""

import asyncio
import json
import sys
import time

from pydantic import create_model

from controller.tracking.clapper_wheel.geometry import WheelGeometry
from controller.tracking.clapper_wheel.wheel import WheelTracker
from hal.clock import LoopClock
from hal.events import EdgeBatch
from hal.gpiod.edges import open_device
from hal.gpiod.settings import GpiodSettings


async def main(options: dict, pins: dict, patience_s: float, counts_per_turn: int) -> None:
    wiring = create_model("Pins", **{name: (int, pin) for name, pin in pins.items()})()
    head = open_device(wiring, GpiodSettings.model_validate(options), LoopClock())
    seen = {"edges": 0, "lost": 0, "backwards": 0, "text": ""}
    expected, last_ns, heard_s = 1, 0, time.monotonic()

    def deliver(batch: EdgeBatch) -> None:
        nonlocal expected, last_ns, heard_s
        seen["edges"] += len(batch)
        seen["travel"] = follow(batch)
        for number, at_ns in zip(batch.seqnos, batch.timestamps_ns, strict=True):
            seen["lost"] += number - expected
            seen["backwards"] += at_ns < last_ns
            expected, last_ns = number + 1, at_ns
        seen["text"] = (seen["text"] + batch.edges.decode())[-200:]
        heard_s = time.monotonic()

    tracker = WheelTracker(WheelGeometry(counts_per_turn or 1440, 7, 54), head.levels())

    def follow(batch: EdgeBatch) -> int:
        if counts_per_turn:
            tracker.feed(batch)
        return tracker.travel_counts

    head.start(deliver)
    begun_s = time.process_time()
    print(json.dumps({"levels": head.levels()}), flush=True)
    while time.monotonic() - heard_s < patience_s:
        await asyncio.sleep(0.05)
    seen["cpu_s"] = time.process_time() - begun_s
    print(json.dumps(seen), flush=True)


counts = int(sys.argv[4]) if len(sys.argv) > 4 else 0
asyncio.run(main(json.loads(sys.argv[1]), json.loads(sys.argv[2]), float(sys.argv[3]), counts))
