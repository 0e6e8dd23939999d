"""An installation as ``systemd/install`` leaves it behind, without pip: package, libraries, launcher, manifest."""

import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

from project import ROOT

LIBRARIES = (
    *("pydantic", "pydantic_core", "annotated_types", "typing_inspection", "typing_extensions.py"),
    *("yaml", "_yaml", "transitions", "six.py", "h11", "gpiozero", "colorzero"),
)
"""What a table on simulated dice loads."""


def install(slot: Path) -> Path:
    """Make an installation in a folder; returns the folder of its packages."""
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", slot], check=True)
    (site,) = (slot / "lib").glob("python3*/site-packages")
    there = Path(sysconfig.get_path("purelib"))
    for name in (*LIBRARIES, *(path.name for path in there.glob("*.dist-info"))):
        if name.endswith(".dist-info") and name.split("-")[0] not in LIBRARIES:
            continue
        ignored = shutil.ignore_patterns("__pycache__")
        if (there / name).is_dir():
            shutil.copytree(there / name, site / name, ignore=ignored)
        else:
            shutil.copy(there / name, site / name)
    source = slot.parent / f"{slot.name}-source"
    for name in ("controller", "hal", "config"):
        shutil.copytree(ROOT / name, source / name, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("setup.py", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / name, source)
    build = [sys.executable, "setup.py", "--quiet", "build_py", "--build-lib", str(site)]
    subprocess.run(build, cwd=source, check=True)
    shutil.rmtree(source)
    (site / "ordinary.pth").write_text("# as setuptools has one\n")
    shutil.copy(ROOT / "systemd/launcher", slot / "bin/table-controller")
    compile_all(slot)
    seal(slot)
    return site


def compile_all(slot: Path) -> None:
    words = ["-I", "-m", "compileall", "-q", "--invalidation-mode", "unchecked-hash", str(slot / "lib")]
    subprocess.run([slot / "bin/python", *words], check=True)


def bytecode_of(source: Path) -> Path:
    """Where Python's isolated start looks for a module's bytecode, whatever the environment says."""
    return source.parent / "__pycache__" / f"{source.stem}.{sys.implementation.cache_tag}.pyc"


def seal(slot: Path) -> None:
    done = started(slot, "verify-software", "--seal")
    assert done.returncode == 0, done.stderr


def started(slot: Path, *words: str, before: Sequence[str] = ()) -> subprocess.CompletedProcess[str]:
    """A command of an installation, started as its unit starts it."""
    command = [*before, str(slot / "bin/python"), "-I", "-B", "-S", str(slot / "bin/table-controller"), *words]
    return subprocess.run(command, cwd=slot, capture_output=True, text=True, check=False, timeout=300)
