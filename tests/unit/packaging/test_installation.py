"""An installed table runs what was installed and nothing else: what Python loads is compared before it runs."""

import hashlib
import json
import os
import py_compile
import re
import shutil
import signal
import subprocess
from pathlib import Path

import pytest
from project import ROOT
from sealed_installation import bytecode_of, install, seal, started

from controller.runtime.verified_import import NAME, process_command

EVIL = "import os; os.write(2, b'foreign code ran\\n')\n"
TABLE = str(ROOT / "config/tables/sic-bo.yaml")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    slot = tmp_path_factory.mktemp("opt") / "table-controller-a"
    install(slot)
    return slot


@pytest.fixture
def slot(made: Path, tmp_path: Path) -> Path:
    """An installation of which a test may change what it likes."""
    return Path(shutil.copytree(made, tmp_path / "slot", symlinks=True))


def site(slot: Path) -> Path:
    (found,) = (slot / "lib").glob("python3*/site-packages")
    return found


def poison(source: Path) -> Path:
    """Bytecode of other code in the place of a module's, as Python would load it without a look at the source."""
    cached = bytecode_of(source)
    evil = source.with_name("evil_source.txt")
    evil.write_text(EVIL + source.read_text(encoding="utf-8"), encoding="utf-8")
    cached.unlink(missing_ok=True)
    mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
    py_compile.compile(str(evil), str(cached), dfile=str(source), invalidation_mode=mode, doraise=True)
    evil.unlink()
    return cached


def run(slot: Path, journal: Path) -> subprocess.CompletedProcess[str]:
    return started(slot, "run", TABLE, "--port", "0", "--journal", str(journal))


def refuses(slot: Path, journal: Path, line: str) -> None:
    """The table does not start and says why, no foreign code ran, and verify-software names the file."""
    done = run(slot, journal)
    assert done.returncode == 78, done.stderr
    assert line in done.stderr.splitlines()
    assert "it does not start: install the software anew: sudo make install" in done.stderr
    assert "foreign code" not in done.stderr
    assert "Traceback" not in done.stderr
    assert not journal.exists()
    done = started(slot, "verify-software")
    assert done.returncode != 0
    assert line in done.stderr.splitlines()
    assert "foreign code" not in done.stderr


def test_an_intact_installation_starts_and_is_verified(slot: Path, tmp_path: Path) -> None:
    command = [str(slot / "bin/python"), "-I", "-B", "-S", str(slot / "bin/table-controller")]
    words = ["run", TABLE, "--port", "0", "--journal", str(tmp_path / "journal")]
    with subprocess.Popen([*command, *words], stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        lines = []
        for line in process.stderr:
            lines.append(line)
            if "is ready" in line:
                break
        process.send_signal(signal.SIGTERM)
    assert process.returncode == 0, lines
    done = started(slot, "verify-software")
    assert (done.returncode, done.stderr) == (0, "")
    assert re.search(r"^\d+ files with libraries and Python, all verified$", done.stdout, re.MULTILINE)
    said = json.loads(started(slot, "verify-software", "--json").stdout)
    assert said["installation"]["fits"] is True
    assert said["installation"]["software"] == hashlib.sha256((slot / NAME).read_bytes()).hexdigest()


def test_other_peoples_tool_verifies_it_too(slot: Path) -> None:
    command = ["sha256sum", "--check", "--strict", "--quiet", NAME]
    subprocess.run(command, cwd=slot, check=True)


@pytest.mark.parametrize("module", ["controller/runtime/table.py", "controller/__init__.py", "yaml/loader.py"])
def test_poisoned_bytecode_never_runs(module: str, slot: Path, tmp_path: Path) -> None:
    cached = poison(site(slot) / module)
    refuses(slot, tmp_path / "journal", f"{cached.relative_to(slot)}: changed")


def test_bytecode_that_nobody_installed_never_runs(slot: Path, tmp_path: Path) -> None:
    source = site(slot) / "controller/runtime/table.py"
    cached = bytecode_of(source)
    cached.unlink()
    seal(slot)
    poison(source)
    done = started(slot, "check", TABLE)
    assert (done.returncode, "foreign code" in done.stderr) == (0, False)
    done = started(slot, "verify-software")
    assert done.returncode == 1
    assert f"{cached.relative_to(slot)}: additional" in done.stderr


@pytest.mark.parametrize("name", ["zzz.pth", "sitecustomize.py", "usercustomize.py"])
def test_code_that_python_would_run_at_each_start_never_runs(name: str, slot: Path, tmp_path: Path) -> None:
    file = site(slot) / name
    file.write_text(EVIL)
    refuses(slot, tmp_path / "journal", f"{file.relative_to(slot)}: additional")


def test_a_path_file_that_was_changed_never_runs(slot: Path, tmp_path: Path) -> None:
    file = site(slot) / "ordinary.pth"
    file.write_text(EVIL)
    refuses(slot, tmp_path / "journal", f"{file.relative_to(slot)}: changed")


def test_a_changed_library_never_runs(slot: Path, tmp_path: Path) -> None:
    """Its source alone is changed where bytecode is not looked at; an extension module is machine code."""
    library = site(slot) / "h11/_state.py"
    bytecode_of(library).unlink()
    library.write_text(EVIL + library.read_text(encoding="utf-8"), encoding="utf-8")
    done = run(slot, tmp_path / "journal")
    assert done.returncode == 78
    assert f"{library.relative_to(slot)}: changed" in done.stderr.splitlines()
    assert "foreign code" not in done.stderr
    done = started(slot, "verify-software")
    assert {f"{library.relative_to(slot)}: changed"} < set(done.stderr.splitlines())


def test_a_changed_extension_module_never_runs(slot: Path, tmp_path: Path) -> None:
    (extension,) = site(slot).glob("pydantic_core/*.so")
    with extension.open("ab") as file:
        file.write(b"\0")
    refuses(slot, tmp_path / "journal", f"{extension.relative_to(slot)}: changed")


def test_a_module_that_was_added_never_runs(slot: Path, tmp_path: Path) -> None:
    """A folder goes before a file of the same name: it would be loaded in its place."""
    (site(slot) / "typing_extensions").mkdir()
    added = site(slot) / "typing_extensions/__init__.py"
    added.write_text(EVIL)
    refuses(slot, tmp_path / "journal", f"{added.relative_to(slot)}: additional")


def test_another_search_path_is_refused(slot: Path, tmp_path: Path) -> None:
    settings = slot / "pyvenv.cfg"
    text = settings.read_text(encoding="utf-8")
    settings.write_text(text.replace("packages = false", "packages = true"), encoding="utf-8")
    refuses(slot, tmp_path / "journal", "pyvenv.cfg: changed")


def test_another_interpreter_is_refused(slot: Path, tmp_path: Path) -> None:
    real = Path(os.path.realpath(slot / "bin/python3"))
    other = tmp_path / real.name
    shutil.copy(real, other)
    with other.open("ab") as file:
        file.write(b"\0")
    manifest = slot / NAME
    text = manifest.read_text(encoding="ascii")
    changed = [line for line in text.splitlines() if line[66:] == str(real)]
    assert len(changed) == 1
    # The same as another interpreter in its place, which a test cannot put there.
    manifest.write_text(text.replace(changed[0], f"{'0' * 64}  {real}"), encoding="ascii")
    refuses(slot, tmp_path / "journal", f"{real}: changed")


def test_a_manifest_that_is_gone_or_damaged_refuses_the_start(slot: Path, tmp_path: Path) -> None:
    (slot / NAME).unlink()
    done = run(slot, tmp_path / "journal")
    assert done.returncode == 78
    assert f"{NAME} cannot be read: " in done.stderr
    (slot / NAME).write_bytes(b"\xff\n")
    done = run(slot, tmp_path / "journal")
    assert done.returncode == 78
    assert "Traceback" not in done.stderr


def test_variables_and_the_present_folder_load_nothing(slot: Path, tmp_path: Path) -> None:
    (tmp_path / "yaml").mkdir()
    (tmp_path / "yaml/__init__.py").write_text(EVIL)
    (tmp_path / "usercustomize.py").write_text(EVIL)
    environment = {"PATH": "/usr/bin:/bin", "PYTHONPATH": str(tmp_path), "PYTHONHOME": str(tmp_path)}
    command = [slot / "bin/table-controller", "check", TABLE]
    done = subprocess.run(
        command,
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_a_process_of_its_own_runs_under_the_same_rule(slot: Path, tmp_path: Path) -> None:
    """A helper is started by the launcher, too: what was altered since the table started is refused there."""
    cached = poison(site(slot) / "controller/runtime/environment.py")
    done = started(slot, "-m", "controller.runtime.environment")
    assert done.returncode == 78
    assert f"{cached.relative_to(slot)}: changed" in done.stderr
    assert "foreign code" not in done.stderr


def test_a_development_checkout_starts_its_processes_as_python_does() -> None:
    _, option, module, word = process_command("controller.runtime.environment", "word")
    assert (option, module, word) == ("-m", "controller.runtime.environment", "word")
