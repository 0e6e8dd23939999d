"""Compare every installed file with its SHA-256 from the installation.

It checks this software and all libraries, and prints the digest of this software. Software in a source folder was
not installed, so nothing recorded its files (docs/security.md).

examples:
  table-controller verify-software
      checks every file; prints the digest, to compare with the digest of the release
  table-controller verify-software --json  # prints the same as JSON
"""

import sys
from argparse import ArgumentParser, Namespace

from controller import __version__
from controller.commands.arguments import add_json
from controller.commands.output import GOOD, complain, paint, show
from controller.commissioning.installed_files import REMEDY, verify
from controller.errors import FAILED, OK
from controller.runtime.software import digest


def configure(parser: ArgumentParser) -> None:
    add_json(parser)


def run(arguments: Namespace) -> int:
    software, verdict = digest(), verify()
    data = {"version": __version__, "software": software, "fits": verdict.intact, **verdict._asdict()}
    lines = [f"version {__version__}, software {software}"]
    lines += [f"{path}: run whenever Python starts" for path in verdict.run_at_start]
    if verdict.intact:
        state = paint("all as they were installed", GOOD)
        lines.append(f"{verdict.files} files of {verdict.distributions} packages, {state}")
    show(arguments.json, data, lines)
    if verdict.intact or arguments.json:
        return OK if verdict.intact else FAILED
    sys.stdout.flush()  # The complaints come last, also if both streams go to the same place.
    if verdict.development:
        complain(f"{verdict.development}: the software is under development, and nothing recorded its files")
        return FAILED
    faults = verdict.faults()
    first = "delete what pip did not install, then " if verdict.unlisted else ""
    differ = "files differ" if len(faults) > 1 else "file differs"
    complain("\n".join([*faults, f"{len(faults)} {differ} from what was installed; {first}{REMEDY}"]))
    return FAILED
