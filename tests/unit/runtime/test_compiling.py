"""The step that compiles: what does not make the same of a few spins is not taken."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from project import ROOT

from controller.runtime import compiling, form_check
from controller.runtime.compiled_form import SUFFIX
from controller.runtime.compiling import CompilingError, compile_beside, modules


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "controller/tracking").mkdir(parents=True)
    (tmp_path / "controller/tracking/motion.py").write_text("")
    return tmp_path


def compiler(monkeypatch: pytest.MonkeyPatch, plain: str, compiled: str) -> None:
    """Mock one: it makes a file, and the two forms print this."""

    def run(words: Sequence[str], folder: Path, failed: str) -> str:
        if words[1] == "controller.runtime.compiling":
            made = Path(words[2], f"controller/tracking/motion{SUFFIX}")
            made.parent.mkdir(parents=True)
            made.write_bytes(b"machine code")
            return ""
        return compiled if words[2] == SUFFIX else plain

    monkeypatch.setattr(compiling, "_run", run)


def test_what_makes_the_same_of_the_spins_is_put_beside_the_source(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler(monkeypatch, "rested at 40", "rested at 40")
    compile_beside(root, ["controller"])
    assert (root / f"controller/tracking/motion{SUFFIX}").read_bytes() == b"machine code"


def test_what_decides_otherwise_is_refused_and_leaves_nothing(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler(monkeypatch, "rested at 40", "rested at 41")
    with pytest.raises(CompilingError, match="decides otherwise"):
        compile_beside(root, ["controller"])
    assert not list(root.rglob(f"*{SUFFIX}"))


def test_the_spins_of_the_check_end_in_results_voids_and_doubts() -> None:
    lines = "\n".join(form_check.trackers())
    for words in (
        "section=39",
        "section=None",
        "touched='",
        "LOSSY",
        "BallLeftTrack(",
        "RotorTurned(",
        "BallThrown(",
    ):
        assert words in lines, words


def test_what_another_machine_compiled_is_checked_and_taken(
    root: Path, tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = tmp_path_factory.mktemp("there")
    made = there / f"controller/tracking/motion{SUFFIX}"
    made.parent.mkdir(parents=True)
    made.write_bytes(b"compiled there")
    monkeypatch.setenv(compiling.VARIABLE, str(there))
    compiler(monkeypatch, "rested at 40", "rested at 41")
    with pytest.raises(CompilingError, match="decides otherwise"):
        compile_beside(root, ["controller"])
    assert not list(root.rglob(f"*{SUFFIX}"))
    compiler(monkeypatch, "rested at 40", "rested at 40")
    compile_beside(root, ["controller"])
    assert (root / f"controller/tracking/motion{SUFFIX}").read_bytes() == b"compiled there"


@pytest.mark.parametrize("value", ["", "0"])
def test_a_build_without_the_request_does_not_compile(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(compiling.VARIABLE, value)
    assert not compiling.requested()


def test_every_module_on_the_way_of_an_edge_is_compiled() -> None:
    there = {path.relative_to(ROOT).as_posix() for path in (ROOT / "controller/tracking").rglob("*.py")}
    alone = {"controller/runtime/sensor_head.py", "controller/journal/replay/edge_buffer.py"}
    assert set(modules(ROOT)) == {path for path in there if not path.endswith("__init__.py")} | alone
