"""``verify-software``: compares the SHA-256 of every installed file with the package's manifest."""

import sys
from argparse import ArgumentParser, Namespace

from controller import __version__
from controller.commands.columns import as_json
from controller.runtime import exit_codes as exits
from controller.runtime.manifest import SoftwareVerdict, verify

NAME = "verify-software"
HELP = "check every installed file against the manifest of the package"


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the sums and the verdict as JSON")


def run(arguments: Namespace) -> int:
    verdict = verify()
    if arguments.json:
        print(as_json(_plain(verdict)))
    else:
        _print(verdict)
    return exits.OK if verdict.intact else exits.FAILED


def _print(verdict: SoftwareVerdict) -> None:
    for path, digest in verdict.files.items():
        print(f"{digest or '-' * 64}  {path}")
    print(f"version {__version__}, software {verdict.software}")
    if verdict.intact:
        print(f"{len(verdict.files)} files, all verified")
        return
    sys.stdout.flush()  # The complaints come last, also if both streams go to the same place.
    for line in verdict.complaints():
        print(line, file=sys.stderr)


def _plain(verdict: SoftwareVerdict) -> dict[str, object]:
    return {
        "version": __version__,
        "software": verdict.software,
        "fits": verdict.intact,
        "problem": verdict.problem,
        "missing": verdict.missing,
        "changed": verdict.changed,
        "additional": verdict.additional,
        "files": verdict.files,
    }
