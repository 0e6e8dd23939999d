"""What signing costs a table: ``python -m benchmarks.signing``.

A whole Sic Bo table on serial lines (see :mod:`benchmarks.latency`) plays round after round, its journal on the
disk; ``sign`` runs beside it, with a witness on this computer, and does not. It plays ten rounds a second, hundreds
of times as many as people do: that often signer and table use the disk at the same time.

What else the machine does changes from minute to minute. So both are measured in many short pairs of blocks, one of
each way side by side, and the ratio is that of each pair: its median, with an interval of 95% from drawing pairs
anew (percentile bootstrap: B. Efron, R. Tibshirani, An Introduction to the Bootstrap, 1993, chapter 13). The signer
is started once, and stopped by SIGSTOP for the blocks without it; it has caught up before those with it begin. It
runs at the priority of its unit (``Nice=``; ``systemd/table-controller-sign.service``); ``--nice 0`` takes it away.
"""

import argparse
import asyncio
import random
import signal
import subprocess
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import NamedTuple

import yaml

from benchmarks.latency import MODULE, PATIENT_MS, Stopwatch, WiredTable, on_disk, percentile, timed_round
from benchmarks.report import Measured, main
from controller.configuration.shipped import table_path
from controller.transparency.last_signed import last_signed_file, read_last_signed
from controller.transparency.leaves import key_name
from controller.witnessing.opening import signer_of

# The ports are those of the tests.
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from server_process import free_port

MINUTE_S, BLOCK_S = 60.0, 3.0
"""How long with a signer, and how long without, in blocks of so many seconds."""
CATCHES_UP_S, PAUSE_S = 60.0, 0.1
MOST = 1.05
"""Of the latency without a signer."""
NICE = 10
"""The signer's, as in its unit."""
DRAWS, SEED = 10_000, 1
"""How often the pairs are drawn anew, and the seed of that."""
TABLE = "sic-bo"


class Pair(NamedTuple):
    """The keys of two blocks, one beside the other, in milliseconds."""

    without: list[float]
    beside: list[float]

    def ratio(self, percent: int) -> float:
        """Of a percentile with the signer to that without."""
        return percentile(self.beside, percent) / percentile(self.without, percent)


def measure(seconds: float = MINUTE_S, folder: Path | None = None, nice: int = NICE) -> list[Measured]:
    """Key to lamps, with a signer and without, in one run.

    Args:
        seconds: of each.
        folder: where the journal is written, on a disk; the checkout's by default.
        nice: the signer's niceness.
    """
    with TemporaryDirectory(dir=folder or on_disk()) as place:
        table = WiredTable(Path(place), MODULE, timeout_ms=PATIENT_MS)
        files = _files(Path(place))
        witness = _start(Path(place), nice, "witness", str(files[1]))
        try:
            table.open()
            signer = Signer(table, Path(place), files[0], nice)
            try:
                pairs = _pairs(table, signer, max(2, round(seconds / BLOCK_S)))
            finally:
                signer.end()
            return [*_lines(pairs), Measured("entries signed", str(signer.signed), "", "some", signer.signed > 0)]
        finally:
            witness.terminate()
            witness.wait()
            table.close()


def _pairs(table: WiredTable, signer: "Signer", count: int) -> list[Pair]:
    """So many pairs of blocks; which of the two begins changes: a journal grows, a machine warms up."""
    watch, pairs = Stopwatch(table), []
    for number in range(count):
        took: dict[bool, list[float]] = {}
        for signed in (False, True) if number % 2 else (True, False):
            signer.goes_on() if signed else signer.stops()
            end_s = time.monotonic() + BLOCK_S
            took[signed] = []
            while time.monotonic() < end_s:
                took[signed].append(timed_round(table, watch).key_to_lamps)
                _wait(table, PAUSE_S)
        pairs.append(Pair(took[False], took[True]))
    return pairs


class Signer:
    """The signer's process, stopped and continued.

    Args:
        file: the table's.
    """

    def __init__(self, table: WiredTable, folder: Path, file: Path, nice: int) -> None:
        self._table, self._folder = table, folder
        self._process = _start(folder, nice, "sign", str(file), "--journal", str(folder / "table.journal"))

    @property
    def signed(self) -> int:
        """Up to which entry the record is signed."""
        last = read_last_signed(last_signed_file(self._folder / "table.checkpoints"))
        return last[-1].size if last else 0

    def goes_on(self) -> None:
        """Let it run; returns when it has caught up.

        Raises:
            AssertionError: it has ended, or does not catch up.
        """
        self._process.send_signal(signal.SIGCONT)
        opened = self._table.journal.last_checkpoint()
        until_s = time.monotonic() + CATCHES_UP_S
        while opened is not None and self.signed < opened.seq:
            assert time.monotonic() < until_s, self._log()
            assert self._process.poll() is None, self._log()
            _wait(self._table, PAUSE_S)

    def stops(self) -> None:
        """Let it stand still."""
        self._process.send_signal(signal.SIGSTOP)
        _wait(self._table, PAUSE_S)

    def end(self) -> None:
        self._process.send_signal(signal.SIGCONT)
        self._process.terminate()
        self._process.wait()

    def _log(self) -> str:
        return (self._folder / "signing.log").read_text(errors="replace")


def _files(folder: Path) -> tuple[Path, Path]:
    """The table's file and the witness's."""
    port = free_port()
    witness_key = signer_of("witness.example", folder / "witness.key", make=True).key
    signing = {
        "key": str(folder / "table.key"),
        "checkpoints": str(folder / "table.checkpoints"),
        "witnesses": [{"url": f"http://127.0.0.1:{port}", "key": str(witness_key)}],
    }
    table = folder / "signed.yaml"
    text = table_path(TABLE).read_text(encoding="utf-8")
    table.write_text(f"{text}\n{yaml.safe_dump({'signing': signing})}", encoding="utf-8")
    shown = subprocess.run(
        [sys.executable, "-m", "controller", "sign", "--make-key", str(table)],
        capture_output=True,
        text=True,
        check=True,
    )
    section = {
        "name": "witness.example",
        "port": port,
        "key": str(folder / "witness.key"),
        "file": str(folder / "witness.db"),
        "tables": {TABLE: shown.stdout.strip()},
    }
    assert shown.stdout.startswith(key_name(TABLE))
    witness = folder / "witness.yaml"
    witness.write_text(yaml.safe_dump(section), encoding="utf-8")
    return table, witness


def _start(folder: Path, nice: int, *words: str) -> "subprocess.Popen[bytes]":
    command = ["nice", "-n", str(nice), sys.executable, "-m", "controller", *words]
    with (folder / "signing.log").open("ab") as log:
        return subprocess.Popen(command, stdout=log, stderr=log)


def _wait(table: WiredTable, seconds: float) -> None:
    """Let the table wait as it does when nobody presses a key."""
    table.loop.run_until_complete(asyncio.sleep(seconds))


def _lines(pairs: list[Pair]) -> list[Measured]:
    lines = []
    for percent in (50, 99):
        without, beside = (percentile([took for pair in pairs for took in pair[way]], percent) for way in (0, 1))
        ratios = [pair.ratio(percent) for pair in pairs]
        least, most = interval(ratios)
        what, middle, target = f"key to lamps, p{percent}", median(ratios), f"at most {MOST}, with its interval"
        lines.append(Measured(f"{what}: no signer", f"{without:.2f} ms", "1"))
        lines.append(
            Measured(f"{what}: with a signer and a witness", f"{beside:.2f} ms", f"{beside / without:.2f}")
        )
        lines.append(
            Measured(
                f"p{percent} of a block beside that without: median of {len(ratios)} pairs, 95% of medians",
                f"{least:.2f} to {most:.2f}",
                f"{middle:.2f}",
                target,
                True if most <= MOST else False if least > MOST else None,
            )
        )
    counts = (sum(len(pair[way]) for pair in pairs) for way in (0, 1))
    lines.append(Measured("rounds of each", ", ".join(map(str, counts))))
    return lines


def interval(ratios: list[float]) -> tuple[float, float]:
    """Between which values 95% of the medians lie, if the pairs are drawn anew."""
    chance = random.Random(SEED)
    medians = sorted(median(chance.choices(ratios, k=len(ratios))) for _ in range(DRAWS))
    return medians[DRAWS * 25 // 1000], medians[DRAWS * 975 // 1000 - 1]


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.signing", description=__doc__)
    parser.add_argument("--seconds", type=float, default=MINUTE_S, help=f"of each (default {MINUTE_S:.0f})")
    parser.add_argument(
        "--folder", type=Path, help="where the journal is written, on a disk; default: the checkout's"
    )
    parser.add_argument(
        "--nice", type=int, default=NICE, help=f"the signer's niceness (default {NICE}, as its unit's)"
    )
    given = parser.parse_args()
    sys.exit(main(lambda: measure(given.seconds, given.folder, given.nice)))
