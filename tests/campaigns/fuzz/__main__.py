"""Fuzzing by coverage, with atheris (``pip install atheris``), for a fixed time: ``python -m campaigns.fuzz``.

Each target runs in a process of its own, for so many seconds: an exception, a hang of five seconds or more than a
gigabyte of memory ends it, prints the bytes and is a failure.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

HANG_S, MOST_MB = 5, 1024


def fuzz(name: str) -> None:
    """Fuzz one target in this process, as the arguments after the name say; never returns."""
    import atheris

    with atheris.instrument_imports(include=["config", "controller", "hal"]):
        from campaigns.fuzz.targets import TARGETS

    target = TARGETS[name]
    for seed in target.seeds():
        target.read(seed)  # What a target makes once takes longer than any input may.
    atheris.Setup(sys.argv[:1] + sys.argv[3:], target.read)
    atheris.Fuzz()


def run(name: str, seconds: int, seed: int) -> bool:
    """Fuzz one target in a process of its own. Returns whether nothing was found."""
    from campaigns.fuzz.targets import TARGETS

    with tempfile.TemporaryDirectory(prefix="table-fuzz-") as folder:
        for number, data in enumerate(TARGETS[name].seeds()):
            (Path(folder) / str(number)).write_bytes(data)
        command = [
            sys.executable,
            "-m",
            "campaigns.fuzz",
            "--target",
            name,
            folder,
            f"-max_total_time={seconds}",
        ]
        command += [f"-timeout={HANG_S}", f"-rss_limit_mb={MOST_MB}", f"-seed={seed}", "-print_final_stats=1"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    executed = [line for line in done.stderr.splitlines() if "number_of_executed_units" in line]
    count = executed[0].rpartition(":")[2].strip() if executed else "?"
    print(f"{name:14}  {count:>9} inputs  {'nothing found' if done.returncode == 0 else 'FAILED'}", flush=True)
    if done.returncode:
        print(done.stdout[-3000:], done.stderr[-3000:], sep="\n")
    return done.returncode == 0


def main() -> int:
    """Fuzz every target."""
    if sys.argv[1:2] == ["--target"]:
        fuzz(sys.argv[2])
    from campaigns.fuzz.targets import TARGETS

    parser = argparse.ArgumentParser(prog="python -m campaigns.fuzz", description=__doc__)
    parser.add_argument("--seconds", type=int, default=60, help="for each target (default 60)")
    parser.add_argument("--seed", type=int, default=1, help="default 1")
    parser.add_argument("targets", nargs="*", help=f"some of: {', '.join(TARGETS)}; all if none is named")
    arguments = parser.parse_args()
    if unknown := sorted(set(arguments.targets) - TARGETS.keys()):
        parser.error(f"no target {unknown[0]}; there are: {', '.join(TARGETS)}")
    print(f"{arguments.seconds} s for each target")
    fine = [run(name, arguments.seconds, arguments.seed) for name in arguments.targets or TARGETS]
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main())
