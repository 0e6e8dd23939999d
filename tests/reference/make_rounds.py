"""Records rounds with the code of a commit: ``python -m reference.make_rounds --commit 4aa17a3a --seed 7 OUT``.

Run it in ``tests/``. In a temporary git worktree of the commit, :mod:`reference.record_rounds` plays and writes; it
is of this tree, and made for 4aa17a3a. Each case is played again by :mod:`reference.play_rounds`, and left out if
that differs; ``--unchecked`` once that plays other code than the commit's.
"""

import os
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from tempfile import TemporaryDirectory

TESTS = Path(__file__).resolve().parents[1]


def main() -> int:
    parser = ArgumentParser(prog="python -m reference.make_rounds", description=__doc__)
    parser.add_argument("out", metavar="OUT", type=Path, help="the file to write")
    parser.add_argument("--commit", default="4aa17a3a")
    parser.add_argument("--count", default="2000", help="cases to try")
    parser.add_argument("--seed", default="7")
    parser.add_argument("--unchecked", action="store_true", help="do not play the cases again")
    given = parser.parse_args()
    git = ["git", "-C", str(TESTS)]
    with TemporaryDirectory() as folder:
        tree = str(Path(folder) / "tree")
        subprocess.run([*git, "worktree", "add", "--quiet", "--detach", tree, given.commit], check=True)
        try:
            environment = {**os.environ, "PYTHONPATH": os.pathsep.join((tree, str(TESTS)))}
            words = [given.out.resolve(), given.commit, given.count, given.seed, str(int(not given.unchecked))]
            command = [sys.executable, "-m", "reference.record_rounds", *words]
            return subprocess.run(command, cwd=folder, env=environment, check=False).returncode
        finally:
            subprocess.run([*git, "worktree", "remove", "--force", tree], check=True)


if __name__ == "__main__":
    sys.exit(main())
