"""Runs commands in the virtual machine for the tests on the host: a line of JSON in, a line of JSON out."""

import json
import subprocess
import tty

PORT = "/dev/ttyS1"


def answer(request: dict) -> dict:
    """Run one shell command."""
    try:
        done = subprocess.run(
            ["/bin/bash", "-c", request["run"]],
            capture_output=True,
            text=True,
            timeout=request.get("timeout_s", 60),
        )
    except subprocess.TimeoutExpired as error:
        return {"code": 124, "out": (error.stdout or b"").decode(errors="replace"), "err": "it took too long"}
    return {"code": done.returncode, "out": done.stdout, "err": done.stderr}


with open(PORT, "r+b", buffering=0) as port:
    tty.setraw(port.fileno())
    port.write(b'{"ready": true}\n')
    buffer = b""
    while True:
        buffer += port.read(4096) or b""
        while b"\n" in buffer:
            line, _, buffer = buffer.partition(b"\n")
            port.write(json.dumps(answer(json.loads(line))).encode() + b"\n")
