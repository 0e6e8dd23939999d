"""What signing costs a table: ``python -m benchmarks.signing``.

A whole Sic Bo table on serial lines (see :mod:`benchmarks.latency`) plays round after round, its journal on the
disk; in turns ``sign`` runs beside it, with a witness on this computer, and does not. It plays ten rounds a
second, hundreds of times as many as people do: that often signer and table use the disk at the same time.
"""

import argparse
import asyncio
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import yaml

from benchmarks.latency import MODULE, Stopwatch, Took, WiredTable, percentile, timed_round
from benchmarks.report import Measured, main
from controller.configuration.shipped import table_path
from controller.transparency.last_signed import last_signed_file, read_last_signed
from controller.transparency.leaves import key_name
from controller.witnessing.opening import signer_of

# The ports are those of the tests.
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))
from server_process import free_port

MINUTE_S, BLOCKS = 60.0, 10
"""How long with a signer, and how long without, in so many stretches that take turns."""
SETTLES_S, CATCHES_UP_S, PAUSE_S = 3.0, 60.0, 0.1
MOST = 1.05
"""Of the latency without a signer."""
TABLE = "sic-bo"


def measure(seconds: float = MINUTE_S, folder: Path | None = None) -> list[Measured]:
    """Key to lamps, with a signer and without, in one run.

    Args:
        seconds: of each.
        folder: where the journal is written, on a disk; this one's by default.
    """
    with TemporaryDirectory(dir=folder or Path.cwd()) as place:
        table = WiredTable(Path(place), MODULE)
        files = _files(Path(place))
        witness = _start(Path(place), "witness", str(files[1]))
        took: dict[bool, list[Took]] = {False: [], True: []}
        try:
            table.open()
            watch = Stopwatch(table)
            for block in range(2 * BLOCKS):
                signed = (
                    block + block // 2
                ) % 2 == 0  # Which one begins changes: a journal grows, a machine warms up.
                with _beside(table, Path(place), files[0], signed):
                    end_s = time.monotonic() + seconds / BLOCKS
                    while time.monotonic() < end_s:
                        took[signed].append(timed_round(table, watch))
                        _wait(table, PAUSE_S)
            return _lines(took, _signed(Path(place)))
        finally:
            witness.terminate()
            witness.wait()
            table.close()


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


def _start(folder: Path, *words: str) -> "subprocess.Popen[bytes]":
    with (folder / "signing.log").open("ab") as log:
        return subprocess.Popen([sys.executable, "-m", "controller", *words], stdout=log, stderr=log)


@contextmanager
def _beside(table: WiredTable, folder: Path, file: Path, signed: bool) -> Iterator[None]:
    """With a signer that has caught up, or without; the pause is the same."""
    if not signed:
        _wait(table, SETTLES_S)
        yield
        return
    process = _start(folder, "sign", str(file), "--journal", str(folder / "table.journal"))
    try:
        _wait(table, SETTLES_S)
        opened = table.journal.last_checkpoint()
        until_s = time.monotonic() + CATCHES_UP_S
        while opened is not None and _signed(folder) < opened.seq:
            assert time.monotonic() < until_s, (folder / "signing.log").read_text(errors="replace")
            _wait(table, PAUSE_S)
        yield
        assert process.poll() is None, (folder / "signing.log").read_text(errors="replace")
    finally:
        process.terminate()
        process.wait()


def _signed(folder: Path) -> int:
    """Up to which entry the record is signed."""
    last = read_last_signed(last_signed_file(folder / "table.checkpoints"))
    return last[-1].size if last else 0


def _wait(table: WiredTable, seconds: float) -> None:
    """Let the table wait as it does when nobody presses a key."""
    table.loop.run_until_complete(asyncio.sleep(seconds))


def _lines(took: dict[bool, list[Took]], signed: int) -> list[Measured]:
    lines = []
    for percent in (50, 99):
        without, beside = (percentile([one.key_to_lamps for one in took[way]], percent) for way in (False, True))
        what, ratio, target = f"key to lamps, p{percent}", beside / without, f"at most {MOST}"
        lines.append(Measured(f"{what}: no signer", f"{without:.2f} ms", "1"))
        figure = f"{beside:.2f} ms"
        lines.append(
            Measured(f"{what}: with a signer and a witness", figure, f"{ratio:.2f}", target, ratio <= MOST)
        )
    lines.append(Measured("rounds of each", f"{len(took[False])}, {len(took[True])}"))
    lines.append(Measured("entries signed", str(signed), "", "some", signed > 0))
    return lines


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m benchmarks.signing", description=__doc__)
    parser.add_argument("--seconds", type=float, default=MINUTE_S, help=f"of each (default {MINUTE_S:.0f})")
    parser.add_argument("--folder", type=Path, help="where the journal is written, on a disk; default: here")
    given = parser.parse_args()
    sys.exit(main(lambda: measure(given.seconds, given.folder)))
