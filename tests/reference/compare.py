"""Compares the present code's decisions with those on record: ``python -m reference.compare tracking``.

Run it in the folder ``tests``. A half is a module ``play_HALF.py`` with ``load()``, a list of cases, and
``differences(case)``, texts that each begin with a kind in capitals and a colon. Exits with 0 if nothing differs,
and 1 if something does.
"""

import sys
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Sequence
from importlib import import_module

HALVES = ("tracking", "rounds")


def main(words: Sequence[str] | None = None) -> int:
    parser = ArgumentParser(prog="python -m reference.compare", description=__doc__)
    parser.add_argument("half", choices=HALVES)
    half = import_module(f"reference.play_{parser.parse_args(words).half}")
    found, cases = Counter[str](), half.load()
    for case in cases:
        for difference in half.differences(case):
            print(f"{case.name}: {difference}", flush=True)
            found[difference.partition(":")[0]] += 1
    print(f"{len(cases)} cases: {', '.join(f'{kind} {count}' for kind, count in found.items()) or 'no difference'}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
