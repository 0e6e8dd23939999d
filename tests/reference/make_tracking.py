"""Records spins and the decisions of a commit: ``python -m reference.make_tracking --count 5000 OUT``.

Run it in the folder ``tests``. It adds a git worktree of the commit in a temporary folder and records there with
the simulators, tracking and games of that commit. The same commit, count and seed make the same file.
"""

import os
import random
import re
import subprocess
import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import count, cycle
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from reference.edges import FORMAT, UNIT_NS, Case, Plain, decode_trace, encode_ops, encode_trace, write
from reference.line_faults import Fault, S, break_lines, draw, strata

if TYPE_CHECKING:
    from reference.recording_4aa17a3a import Recorded, Spun

COMMIT = "4aa17a3a"
_POLLS_MS = (4, 20, 20, 100, 500)
_SPINS, _FAULTS, _FAULTS_WITH_HAND = 3, 4, 1
"""Spins of each wheel; and cases with faults that are kept of each spin, besides the one without."""
_HOW_MANY = (1, 1, 1, 1, 1, 1, 2, 2, 2, 3)
_LIMIT, _NOISE_AFTER = 130 * S, 9 * S
"""So long after the throw, longer than ``spin_limit_s``, a case ends; and so long after the rest, noise."""


class Recorder:
    """Records cases, one wheel after another.

    Args:
        tries: so many cases are tried for each that is kept: rarer faults with rarer decisions are preferred.
        finest: the most counts of an encoder in one turn.
    """

    def __init__(self, seed: int, tries: int, finest: int) -> None:
        self.lines: list[Plain] = [{"format": FORMAT, "unit_ns": UNIT_NS, "commit": COMMIT, "seed": seed}]
        self.decided: Counter[str] = Counter()
        self._seed, self._tries, self._finest = seed, tries, finest
        self._chance = random.Random(seed)
        self._kept: Counter[tuple[object, ...]] = Counter()
        self._strata: dict[str, Iterator[tuple[str, str]]] = {}

    def record(self, cases: int) -> None:
        """Record until there are so many cases."""
        from reference.recording_4aa17a3a import MAKERS, REFUSALS

        for number, maker in zip(count(self._seed * 1_000_000), cycle(MAKERS), strict=False):
            if self.decided.total() >= cases:
                return
            try:
                self._record_wheel(f"w{number % 1_000_000}", maker(number, _SPINS, self._finest))
            except REFUSALS:
                continue
            print(f"\r{self.decided.total()} cases", end="", file=sys.stderr, flush=True)

    def _record_wheel(self, name: str, wheel: "Recorded") -> None:
        from reference.table_4aa17a3a import decide

        lines = [{"wheel": name, **wheel.line}, encode_trace(name, wheel.levels, wheel.prologue)]
        for number, spun in enumerate(wheel.spins):
            trace = encode_trace(f"{name}.{number}", spun.levels, spun.edges)
            assert decode_trace(trace) == spun.edges
            kept = _FAULTS if spun.truth["honest"] else _FAULTS_WITH_HAND
            tried = []
            for faults in ([], *(self._faults(spun) for _ in range(kept * self._tries))):
                case = Case(self._case(spun, faults, wheel), lines[0], lines[1], trace, UNIT_NS)
                tried.append(case)
                case.line["decision"] = decide(case)
            if tried[0].line["decision"]["lock"] == "not-open":
                return
            lines += [trace, *(case.line for case in self._chosen(tried, kept))]
        self.lines += lines

    def _case(self, spun: "Spun", faults: list[Fault], wheel: "Recorded") -> Plain:
        poll = self._chance.choice(_POLLS_MS) * 1_000_000 // UNIT_NS
        turn, quiet = wheel.line["built"]["counts_per_turn"], spun.rest + _NOISE_AFTER
        changed = break_lines(spun.levels, spun.edges, faults, quiet, turn, self._chance)
        truth = spun.truth | {"faults": [vars(fault) for fault in faults]}
        played = {"ops": encode_ops(spun.edges, changed), "poll": poll, "keys": spun.keys}
        return {**played, "until": spun.thrown + _LIMIT, "truth": truth}

    def _faults(self, spun: "Spun") -> list[Fault]:
        """One fault or more: every kind on every line in turn, others at random; some in the same instant."""
        lines, chance, found = spun.levels.upper(), self._chance, list[Fault]()
        if lines not in self._strata:
            every = strata(lines)
            chance.shuffle(every)
            self._strata[lines] = cycle(every)
        for number in range(chance.choice(_HOW_MANY)):
            stratum = chance.choice(strata(lines)) if number else next(self._strata[lines])
            at = found[0].since if found and chance.random() < 0.5 else None
            found.append(draw(chance, stratum, spun.thrown, spun.rest, at))
        return found

    def _chosen(self, tried: list[Case], kept: int) -> Iterator[Case]:
        """The spin without a fault, and those whose faults and whose grounds of decision are rarest so far."""

        def grounds(case: Case) -> tuple[object, ...]:
            why = re.sub(r"[^a-z ]", "", case.line["decision"]["why"])
            return case.wheel["kind"], why or case.kinds[0]

        for number in range(kept + 1):
            case = min(tried, key=lambda case: self._kept[grounds(case)]) if number else tried[0]
            tried.remove(case)
            self._kept[grounds(case)] += 1
            decision, spin = case.line["decision"], case.spin["trace"]
            wrong = decision["result"] is not None and decision["result"] not in case.line["truth"]["results"]
            self.decided["wrong" if wrong else "result" if decision["result"] is not None else "void"] += 1
            names = {"case": f"{spin}.{number}", "wheel": case.wheel["wheel"], "prologue": case.prologue["trace"]}
            yield Case({**names, "spin": spin, **case.line}, case.wheel, case.prologue, case.spin, case.unit_ns)


def in_worktree(commit: str, words: Sequence[str]) -> int:
    """Run this module with the code of a commit."""
    package = Path(__file__).parent
    with TemporaryDirectory() as folder:
        tree, stage = Path(folder, "tree"), Path(folder, "stage")
        stage.mkdir()
        (stage / package.name).symlink_to(package)
        git = ("git", "-C", str(package), "worktree")
        subprocess.run([*git, "add", "--quiet", "--detach", str(tree), commit], check=True)
        try:
            path = os.pathsep.join(map(str, (tree, stage, tree / "tests" / "support")))
            command = [sys.executable, "-m", "reference.make_tracking", "--here", *words]
            return subprocess.run(command, cwd=tree, env={**os.environ, "PYTHONPATH": path}, check=False).returncode
        finally:
            subprocess.run([*git, "remove", "--force", str(tree)], check=True)


def main(words: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m reference.make_tracking", description=__doc__)
    parser.add_argument("--commit", default=COMMIT, help="whose code decides (default %(default)s)")
    parser.add_argument("--count", type=int, default=600, help="how many cases (default %(default)s)")
    parser.add_argument("--seed", type=int, default=7, help="of everything random (default %(default)s)")
    parser.add_argument(
        "--tries", type=int, default=1, help="cases tried for each that is kept (default %(default)s)"
    )
    parser.add_argument("--finest", type=int, default=8192, help="most counts in one turn (default %(default)s)")
    parser.add_argument("--here", action="store_true", help="record with the code that is imported")
    parser.add_argument("out", type=Path, help="the file")
    chosen = parser.parse_args(words)
    if not chosen.here:
        numbers = [f"--{name}={getattr(chosen, name)}" for name in ("count", "seed", "tries", "finest")]
        return in_worktree(chosen.commit, [*numbers, str(chosen.out.absolute())])
    import controller

    assert Path(controller.__file__).is_relative_to(Path.cwd()), f"{controller.__file__} is not of the worktree"
    recorder = Recorder(chosen.seed, chosen.tries, chosen.finest)
    recorder.record(chosen.count)
    write(chosen.out, recorder.lines)
    print(f"\n{chosen.out}: {dict(recorder.decided)}, {chosen.out.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
