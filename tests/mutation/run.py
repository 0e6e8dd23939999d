"""Draw a sample of cosmic-ray's mutants and run each before the tests that reach it: ``make mutation``.

It works on a copy of the project. What survives is a change of the code that no test notices: a test is missing, or
the change is none of what the table does; ``docs/mutation.md`` names those, with the reason.
"""

import argparse
import difflib
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from mutants.run import copies
from project import ROOT

from mutation.patch import in_functions_only, sources
from mutation.population import DrawnMutant, drawn, population
from mutation.reach import Reach, measure
from mutation.trial import Trial, Verdict, imported_anew, in_functions, preload

EQUIVALENT = ROOT / "docs/mutation.md"

_TIMES = 5
"""A mutant's tests may take so many times what they take without it, and at least so many seconds."""
_LEAST_S = 20


def arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m mutation.run", description=__doc__)
    parser.add_argument("names", nargs="*", help="mutants by their eight digits, instead of a sample")
    parser.add_argument("--sample", type=int, default=200, metavar="N", help="how many are drawn (default 200)")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="what draws them (default 1)")
    parser.add_argument("--budget", type=float, default=20, metavar="S", help="seconds of tests a mutant")
    parser.add_argument(
        "--folder", type=Path, help="where the tests' reach is kept, and read if it is there already"
    )
    parser.add_argument("--resume", action="store_true", help="go on with a run that was interrupted")
    parser.add_argument("--in-copy", action="store_true", help=argparse.SUPPRESS)
    return parser.parse_args(words)


def in_copy(words: Sequence[str], folder: Path) -> int:
    """Run this program in a copy of the project."""
    folder.mkdir(parents=True, exist_ok=True)
    with copies(1) as queue:
        copy = queue.get()
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(str(copy / place) for place in (".", "tests/support", "tests")),
            "PYTHONHASHSEED": "0",
            "OPENBLAS_NUM_THREADS": "1",
        }
        command = [sys.executable, "-m", "mutation.run", *words, "--in-copy", "--folder", str(folder)]
        return subprocess.run(command, cwd=copy, env=environment, check=False).returncode


def trials(sample: Sequence[DrawnMutant], reach: Reach, budget_s: float) -> list[Trial]:
    """Each mutant with its tests and a limit."""
    found = []
    for mutant in sample:
        tests = reach.tests(mutant.spec, budget_s)
        limit_s = _LEAST_S + int(_TIMES * sum(reach.seconds[test] for test in tests))
        found.append(Trial(mutant, tuple(tests), limit_s))
    return found


def _read(results: Path) -> dict[str, Verdict]:
    lines = results.read_text(encoding="utf-8").splitlines() if results.exists() else []
    return {name: Verdict(words) for name, _, words in (line.partition(" ") for line in lines)}


def verdicts(sample: Sequence[Trial], reach: Reach, results: Path) -> dict[str, Verdict]:
    """Run them; what became of each is a line of the file of results as soon as it is known."""
    output = os.dup(sys.stdout.fileno())

    def report(trial: Trial, verdict: Verdict) -> None:
        with results.open("a", encoding="utf-8") as file:
            print(trial.mutant.name, verdict, file=file)
        os.write(output, f"{verdict}: {trial.mutant} ({len(trial.tests)} tests)\n".encode())

    def pending() -> list[Trial]:
        done = _read(results)
        return [one for one in sample if one.mutant.name not in done]

    for trial in pending():
        if not trial.tests:
            report(trial, Verdict.NO_TEST)
    quick = [
        one for one in pending() if not reach.at_import(one.mutant.spec) and in_functions_only(one.mutant.spec)
    ]
    in_functions(quick, report)
    for trial in pending():
        report(trial, imported_anew(trial))
    return _read(results)


def run(chosen: argparse.Namespace) -> int:
    """Draw, run, report. Returns 1 if a mutant survived that is not named as equivalent."""
    if not (chosen.folder / "contexts").exists():
        measure(chosen.folder)
    reach = Reach(chosen.folder)
    everything = population()
    sample = [one for one in everything if one.name in chosen.names]
    sample = sample if chosen.names else drawn(everything, chosen.sample, chosen.seed)
    print(
        f"{len(everything)} mutants, {len(sample)} drawn, seed {chosen.seed}; {len(reach.seconds)} tests",
        flush=True,
    )
    sys.dont_write_bytecode = True  # Of a mutant's file, none may be left.
    preload()
    results = chosen.folder / "results.txt"
    if not chosen.resume:
        results.unlink(missing_ok=True)
    found = verdicts(trials(sample, reach, chosen.budget), reach, results)
    named = EQUIVALENT.read_text(encoding="utf-8") if EQUIVALENT.exists() else ""
    alive = [one for one in sample if found[one.name] is not Verdict.KILLED]
    for mutant in alive:
        words = "named as equivalent" if f"`{mutant.name}`" in named else found[mutant.name]
        print(f"\n{words}: {mutant}\n{difference(mutant)}")
    counts = Counter(found[one.name] for one in sample)
    print(f"\n{len(sample)} mutants: " + ", ".join(f"{counts[one]} {one}" for one in Verdict))
    unnamed = [
        one.name for one in alive if f"`{one.name}`" not in named and found[one.name] is not Verdict.TIMED_OUT
    ]
    print(f"{len(unnamed)} survived or are reached by no test, and are not named in {EQUIVALENT.relative_to(ROOT)}")
    return 1 if unnamed else 0


def difference(mutant: DrawnMutant) -> str:
    """The changed lines."""
    before, after = (text.splitlines() for text in sources(mutant.spec))
    lines = difflib.unified_diff(before, after, n=1, lineterm="")
    return "\n".join(f"    {line}" for line in list(lines)[3:])


def main(words: Sequence[str] | None = None) -> int:
    chosen = arguments(words)
    if chosen.in_copy:
        return run(chosen)
    given = list(sys.argv[1:] if words is None else words)
    return in_copy(given, (chosen.folder or ROOT / "build/mutation").absolute())


if __name__ == "__main__":
    sys.exit(main())
