"""Compares the present code's decisions with those on record: ``python -m reference.compare tracking [FILE ...]``.

Run it in the folder ``tests``. A half is a module ``play_HALF.py`` with ``DATA``, the committed file or folder;
``load(path)``, a list of cases; and ``differences(case)``, texts that each begin with a kind in capitals and a
colon. A case may have a ``name``, and ``kinds`` under which the summary counts it. Exits with 0 if nothing differs,
1 if something does, 2 if a file cannot be read.
"""

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

HALVES = ("tracking", "rounds")


def compare(half: Any, cases: Sequence[Any]) -> Counter[tuple[str, str]]:
    """Print every difference; returns how many there are by the kind of case and the kind of difference."""
    found: Counter[tuple[str, str]] = Counter()
    for number, case in enumerate(cases):
        for difference in half.differences(case):
            print(f"{getattr(case, 'name', number)}: {difference}", flush=True)
            kind = difference.partition(":")[0]
            found.update((one, kind) for one in getattr(case, "kinds", ()))
            found["", kind] += 1
    return found


def _print_summary(cases: Sequence[Any], found: Counter[tuple[str, str]]) -> None:
    played = Counter(kind for case in cases for kind in getattr(case, "kinds", ()))
    kinds = sorted({kind for _, kind in found})
    rows = sorted({one for one, _ in found if one})
    print(f"\n{'':40}{'cases':>8}" + "".join(f"{kind:>14}" for kind in kinds))
    for row in rows:
        print(f"{row:40}{played[row]:>8}" + "".join(f"{found[row, kind] or '':>14}" for kind in kinds))
    print(f"{'all':40}{len(cases):>8}" + "".join(f"{found['', kind]:>14}" for kind in kinds))


def main(words: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m reference.compare", description=__doc__)
    parser.add_argument("half", choices=HALVES)
    parser.add_argument("files", nargs="*", type=Path, metavar="FILE", help="instead of the committed ones")
    parser.add_argument("--sample", type=int, default=1, metavar="N", help="play one case in N")
    chosen = parser.parse_intermixed_args(words)
    if chosen.sample < 1:
        parser.error("--sample takes a number from 1")
    half = import_module(f"reference.play_{chosen.half}")
    try:
        cases = [case for file in chosen.files or [half.DATA] for case in half.load(file)][:: chosen.sample]
    except (OSError, ValueError) as error:
        print(f"cannot be read: {error}", file=sys.stderr)
        return 2
    found = compare(half, cases)
    if found:
        _print_summary(cases, found)
        return 1
    print(f"{len(cases)} cases: no difference")
    return 0


if __name__ == "__main__":
    sys.exit(main())
