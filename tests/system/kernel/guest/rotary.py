"""gpiozero's own encoder on the same lines: rotary.py PIN_A PIN_B SECONDS. Says when it listens, then its steps.

Ends when nothing has come for so long. A step is four edges. Prints a JSON object each.
"""

import json
import sys
import time

from gpiozero import RotaryEncoder
from gpiozero.pins.lgpio import LGPIOFactory

heard_s = time.monotonic()


def on_step() -> None:
    global heard_s
    heard_s = time.monotonic()


encoder = RotaryEncoder(int(sys.argv[1]), int(sys.argv[2]), max_steps=0, pin_factory=LGPIOFactory(0))
encoder.when_rotated = on_step
begun_s = time.process_time()
print(json.dumps({"listens": True}), flush=True)
while time.monotonic() - heard_s < float(sys.argv[3]):
    time.sleep(0.05)
print(json.dumps({"steps": abs(encoder.steps), "cpu_s": time.process_time() - begun_s}), flush=True)
