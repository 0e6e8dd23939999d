"""The build step that compiles hot modules to machine code with mypyc; ``python -m controller.runtime.compiling``.

The sources are the program, and run as they are everywhere. A build that is asked to (:data:`VARIABLE`) compiles
them as well: beside each ``motion.py`` lies ``motion.cpython-311-x86_64-linux-gnu.so``, which that Python on that
machine loads in its place, and any other leaves alone. All of them are entries into one library, :data:`LIBRARY`.

:mod:`controller.runtime.building` runs this before the manifest is written, which lists these files too.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from controller.runtime.compiled_form import SUFFIX

VARIABLE = "TABLE_COMPILED"
"""The variable of the environment: ``1`` asks a build for the compiled form. A folder is one where :func:`build`
put it before, on another machine, perhaps for another processor (``.ci/compile-for-arm``); nothing is compiled
then."""
ROOMS = ("controller/tracking", "controller/runtime/sensor_head.py", "controller/journal/replay/edge_buffer.py")
"""The folders whose modules are compiled, and single modules; packages' own ``__init__.py`` are not."""
LIBRARY = "controller.compiled"
OPTIONS = ("--config-file=", "--ignore-missing-imports")
"""For mypy, which reads the sources: `make types` judges them, here their types only have to be known."""
_CHECK = "controller.runtime.form_check"
FLAGS = (
    # A multiplication and an addition that become one instruction round once: on Arm, results would differ.
    "-ffp-contract=off",
    # A newer compiler's warnings are no errors.
    "-Wno-error",
    # Nobody calls into the library but by the modules' entries: calls within it are direct.
    "-fvisibility=hidden",
    "-fno-asynchronous-unwind-tables",
)
LINKING = (
    # All of it is hashed at each start: no names for a debugger, and no gaps between pages of more than 16 KiB, the
    # largest that a Raspberry Pi's kernel has.
    "-s",
    "-Wl,-z,max-page-size=16384,-z,noseparate-code",
)


class CompilingError(Exception):
    """The modules cannot be compiled; the message is one sentence."""


def requested() -> bool:
    """Whether what is built is to have the compiled form."""
    return os.environ.get(VARIABLE, "") not in ("", "0")


def modules(root: Path) -> list[str]:
    """What is compiled, as paths under the folder of the packages, sorted."""
    found = (file for room in ROOMS for file in _files(root / room) if file.name != "__init__.py")
    return sorted(file.relative_to(root).as_posix() for file in found)


def _files(room: Path) -> Iterable[Path]:
    return room.rglob("*.py") if room.suffix != ".py" else (room,)


def compile_beside(root: Path, packages: Sequence[str]) -> None:
    """Compile what lies under ``root``, and put the results beside their sources.

    Raises:
        CompilingError: mypy or a C compiler is missing or refuses, the folder that :data:`VARIABLE` names has not
            what this Python loads, or what came out does not make the same of a few spins
            (:mod:`controller.runtime.form_check`). Nothing was put there then.
    """
    there = os.environ.get(VARIABLE, "1")
    with TemporaryDirectory(prefix="compiled-") as folder:
        copy, out = Path(folder, "source"), Path(folder, "out") if there == "1" else Path(there)
        for package in packages:
            shutil.copytree(root / package, copy / package)
        names = [path.removesuffix(".py").replace("/", ".") for path in modules(copy)]
        plain = _run(["-m", _CHECK, ".py", *names], copy, "does not run here")
        if there == "1":
            _run(["-m", "controller.runtime.compiling", str(out)], copy, "cannot be compiled")
        made = sorted(file.relative_to(out) for file in out.rglob(f"*{SUFFIX}"))
        for file in made:
            shutil.copy(out / file, copy / file)
        if plain != _run(["-m", _CHECK, SUFFIX, *names], copy, "does not run once compiled"):
            raise CompilingError("the tracking decides otherwise once compiled")
        for file in made:
            shutil.copy(out / file, root / file)


def _run(words: Sequence[str], folder: Path, failed: str) -> str:
    """What Python prints, run in a folder of which it sees the packages."""
    environment = {**os.environ, "PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
    environment.pop(VARIABLE, None)
    command = [sys.executable, *words]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        lines = (done.stdout + done.stderr).splitlines()
        *_, last = f"code {done.returncode}", *(line.strip() for line in lines if line.strip())
        raise CompilingError(f"the tracking {failed}: {last}")
    return done.stdout


def build(out: Path) -> None:
    """Compile the modules of the folder that this runs in. What is made is the same in whatever folder that is."""
    from setuptools import setup

    try:
        from mypyc.build import mypycify
    except ModuleNotFoundError as error:
        sys.exit(f"{error.name} is not installed")
    # Debugging symbols would name the folder.
    extensions: list[Any] = mypycify(
        [*OPTIONS, *modules(Path())], opt_level="3", debug_level="0", group_name=LIBRARY
    )
    for extension in extensions:
        extension.extra_compile_args += [*FLAGS, f"-ffile-prefix-map={Path.cwd()}=."]
        extension.extra_link_args += LINKING
    places = ["--build-lib", str(out), "--build-temp", "build"]
    setup(name="compiled", packages=[], ext_modules=extensions, script_args=["--quiet", "build_ext", *places])


if __name__ == "__main__":
    build(Path(sys.argv[1]))
