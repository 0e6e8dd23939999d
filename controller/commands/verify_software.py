"""``verify-software``: compares the SHA-256 of every installed file with the manifests of package and installation.

What the installer installed has a second manifest: of the libraries, what Python compiled, and Python itself.
With ``--challenge`` it answers a random number from the content of every file; ``--answer --against`` says at the
inspector's what the answer must be (docs/software.md).
"""

import sys
import time
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from pathlib import Path

from controller import __version__
from controller.commands.columns import as_json
from controller.commands.progress import busy
from controller.runtime import environment
from controller.runtime import exit_codes as exits
from controller.runtime.challenge import NONCE, ChallengeAnswer, UnansweredError, of_installed, of_reference
from controller.runtime.colours import Colour, paint
from controller.runtime.log_format import complain
from controller.runtime.manifest import SoftwareVerdict, verify
from controller.runtime.verified_import import NAME as MANIFEST

NAME = "verify-software"
HELP = "check every installed file against the manifests of package and installation"
EXAMPLES = (
    ("verify-software", "whether every file is as it was built"),
    ("verify-software --challenge 0f1e2d3c4b5a69788796a5b4c3d2e1f0", "answers an inspector's random number"),
    (
        "verify-software --answer 0f1e2d3c4b5a69788796a5b4c3d2e1f0 --against release",
        "what the answer must be, from an approved release",
    ),
)


def configure(parser: ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print the sums and the verdict as JSON")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--challenge",
        type=_nonce,
        metavar="NONCE",
        help="answer a random number, 32 to 128 hexadecimal digits, from the content of every file",
    )
    what.add_argument(
        "--answer", type=_nonce, metavar="NONCE", help="say what the answer to it must be, from --against"
    )
    what.add_argument(
        "--seal",
        action="store_true",
        help="write the manifest of the installation as it is now (the installer does)",
    )
    parser.add_argument(
        "--against", type=Path, metavar="PATH", help="a release's folder or wheel, or the folder of an installation"
    )


def _nonce(text: str) -> str:
    if not NONCE.fullmatch(text):
        raise ArgumentTypeError("32 to 128 hexadecimal digits in lower case are expected: openssl rand -hex 32")
    return text


def run(arguments: Namespace) -> int:
    if (arguments.answer is None) != (arguments.against is None):
        complain("table-controller: --answer and --against belong together")
        return exits.USAGE
    if arguments.seal:
        return _seal()
    if arguments.challenge is not None or arguments.answer is not None:
        return _challenge(arguments)
    return _verify(arguments.json)


def _verify(json: bool) -> int:
    with busy("comparing every file with the manifests"):
        verdict, slot = verify(), environment.slot()
        whole = environment.differences(slot) if slot is not None else None
    if json:
        print(as_json(_plain(verdict, whole)))
    else:
        _print(verdict, whole)
    return exits.OK if verdict.intact and (whole is None or whole.intact) else exits.FAILED


def _print(verdict: SoftwareVerdict, whole: SoftwareVerdict | None) -> None:
    for path, digest in verdict.files.items():
        print(f"{digest or '-' * 64}  {path}")
    print(f"version {__version__}, software {verdict.software}")
    if verdict.intact:
        print(f"{len(verdict.files)} files, {_all_verified()}")
    if whole is not None:
        state = f", {_all_verified()}" if whole.intact else ""
        print(f"installation {whole.software}\n{len(whole.files)} files with libraries and Python{state}")
    sys.stdout.flush()  # The complaints come last, also if both streams go to the same place.
    for line in (*verdict.complaints(), *(whole.complaints() if whole is not None else ())):
        complain(line)


def _all_verified() -> str:
    return paint("all verified", Colour.GOOD, sys.stdout)


def _plain(verdict: SoftwareVerdict, whole: SoftwareVerdict | None) -> dict[str, object]:
    return {"version": __version__, **_differences(verdict), "installation": whole and _differences(whole)}


def _differences(verdict: SoftwareVerdict) -> dict[str, object]:
    return {
        "software": verdict.software,
        "fits": verdict.intact,
        "problem": verdict.problem,
        "missing": verdict.missing,
        "changed": verdict.changed,
        "additional": verdict.additional,
        "files": verdict.files,
    }


def _challenge(arguments: Namespace) -> int:
    began = time.monotonic()
    try:
        with busy("reading every file"):
            if arguments.answer is not None:
                answer = of_reference(arguments.answer, arguments.against)
            else:
                answer = of_installed(arguments.challenge, environment.slot())
    except UnansweredError as error:
        complain(f"table-controller: {error}")
        return exits.FAILED
    _print_answer(answer, time.monotonic() - began, arguments.json)
    return exits.OK


def _print_answer(answer: ChallengeAnswer, took_s: float, json: bool) -> None:
    if json:
        parts = {"package": answer.package, "installation": answer.installation, "took_ms": round(took_s * 1000)}
        print(as_json(parts))
        return
    print(f"package       {answer.package}")
    print(f"installation  {answer.installation or '-'}")
    print(f"took {took_s:.2f} s", file=sys.stderr)


def _seal() -> int:
    folder = Path(sys.prefix)
    try:
        files, before = environment.seal(folder)
    except OSError as error:
        complain(f"table-controller: {folder}: the manifest cannot be written: {error.strerror}; do it as root")
        return exits.FAILED
    for line in before:
        print(line)
    print(f"{folder / MANIFEST}: {files} files")
    return exits.OK
