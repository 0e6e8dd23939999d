"""What a table costs on Arm, in instructions: ``make cost`` (as root, for Debian's archive is unpacked).

An emulated Arm whose clock counts instructions (QEMU, ``-icount``) boots Debian's kernel, runs the measurements of
this folder, and prints them on its console. Whatever else this machine does changes nothing of that. The figures
are compared with those in ``benchmarks/cost/figures.json``; ``--write`` writes what is measured there.
"""

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from shutil import which

from benchmarks.cost.verdict import compare, problems, read
from benchmarks.decoding import Train, spin_train, steady_train
from benchmarks.report import table

HERE = Path(__file__).parent
TREE = HERE.parent.parent
OUT = TREE / "build/cost"
FIGURES = HERE / "figures.json"
LIMIT_S = 1200
MOST_EDGES = 8000
PROGRAM = "qemu-system-aarch64"
MACHINE = ("-M", "virt", "-smp", "1", "-cpu", "cortex-a72", "-m", "2048", "-nic", "none")
COUNTING = ("-icount", "shift=0,align=off,sleep=off")
CONSOLE = ("-display", "none", "-monitor", "none", "-serial", "stdio", "-no-reboot")
KERNEL = ("-kernel", str(OUT / "vmlinuz"), "-initrd", str(OUT / "initrd"))
WORDS = ("-append", "console=ttyAMA0 rdinit=/init quiet panic=-1")


def write_trains() -> None:
    """The edges that the tracker is given: made here, for another processor adds floats in another way."""

    def plain(train: Train) -> dict[str, object]:
        edges, stamps, levels = train
        return {
            "edges": edges[:MOST_EDGES].decode(),
            "stamps": list(stamps[:MOST_EDGES]),
            "levels": dict(levels),
        }

    OUT.mkdir(parents=True, exist_ok=True)
    trains = {"encoder": plain(steady_train()), "spin": plain(spin_train())}
    (OUT / "trains.json").write_text(json.dumps(trains), encoding="ascii")


def console() -> Iterator[str]:
    """Boot, and give what the console prints, line by line, until the machine is switched off."""
    command = [PROGRAM, *MACHINE, *COUNTING, *CONSOLE, *KERNEL, *WORDS]
    with subprocess.Popen(
        ["timeout", str(LIMIT_S), *command],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    ) as machine:
        assert machine.stdout is not None
        yield from machine.stdout


def measured() -> Iterator[str]:
    """The console's lines, printed as they come with the time that it took."""
    begun = time.monotonic()
    for line in console():
        print(f"{time.monotonic() - begun:4.0f} s  {line.rstrip()}", flush=True)
        yield line


def main() -> int:
    parser = argparse.ArgumentParser(prog="make cost", description=__doc__)
    parser.add_argument("--write", action="store_true", help="write what is measured to figures.json")
    arguments = parser.parse_args()
    if which(PROGRAM) is None:
        print(f"{PROGRAM} is needed: apt-get install qemu-system-arm", file=sys.stderr)
        return 2
    write_trains()
    subprocess.run(["bash", str(HERE / "build"), sys.executable], check=True)
    found = read(measured())
    expected: dict[str, int] = json.loads(FIGURES.read_text(encoding="ascii"))
    wrong = problems(found, {} if arguments.write else expected)
    lines = compare(found.figures, expected)
    print(table(lines))
    for sentence in wrong:
        print(f"cost: {sentence}", file=sys.stderr)
    if wrong:
        return 1
    if arguments.write:
        FIGURES.write_text(json.dumps(found.figures, indent=2) + "\n", encoding="ascii")
        return 0
    for line in lines:
        if line.passed is False:
            print(f"cost: {line.what} is {line.ratio} times what it was", file=sys.stderr)
    return 1 if any(line.passed is False for line in lines) else 0


if __name__ == "__main__":
    sys.exit(main())
