"""A release by one command: its notes, and that version, changelog and tag agree before anything is signed."""

import subprocess
from pathlib import Path

import pytest
from project import ROOT

from controller import __version__
from tools import release
from tools.release_notes import NotesError, disagreements, notes, version_of

TEXT = "# Changelog\n\n## 0.3.0 — 2026-12-01\n\n- One.\n- Two.\n\n## 0.2.0 — unreleased\n\n- Three.\n\n## 0.1.0\n"


def test_the_notes_are_the_section_of_the_version_alone() -> None:
    assert notes(TEXT, "0.3.0") == "# Table controller 0.3.0\n\n- One.\n- Two.\n"
    assert notes(TEXT, "0.2.0") == "# Table controller 0.2.0\n\n- Three.\n"
    assert version_of(ROOT) == __version__


@pytest.mark.parametrize("version", ["0.1.0", "0.4.0", "3.0"])
def test_a_version_of_which_nothing_is_written_has_no_notes(version: str) -> None:
    with pytest.raises(NotesError, match=f"nothing is written of {version}; add a section"):
        notes(TEXT, version)


@pytest.mark.parametrize(
    ("version", "text", "tags", "found"),
    [
        ("0.3.0", TEXT, ["v0.3.0", "reviewed"], []),
        ("0.3.0", TEXT, [], ["the commit has no tag v0.3.0: git tag v0.3.0"]),
        ("0.3.0", TEXT, ["v0.3.0", "v0.2.9"], ["the commit has the tag v0.2.9, and the version is 0.3.0"]),
        ("0.2.0", TEXT, ["v0.2.0"], ["CHANGELOG.md begins with 0.3.0, and the version is 0.2.0"]),
        ("0.2.0", TEXT[TEXT.index("## 0.2.0") :], ["v0.2.0"], ["CHANGELOG.md has no day for 0.2.0: write it"]),
        ("0.1.0", "## 0.1.0\n", ["v0.1.0"], ["CHANGELOG.md has no day for 0.1.0"]),
        ("0.1.0", "", ["v0.1.0"], ["CHANGELOG.md begins with nothing"]),
    ],
)
def test_version_changelog_and_tag_agree_or_it_is_said_where_not(
    version: str, text: str, tags: list[str], found: list[str]
) -> None:
    said = disagreements(version, text, tags)
    assert len(said) == len(found)
    assert all(one.startswith(start) for one, start in zip(said, found, strict=True))


@pytest.fixture
def commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A commit with a version and a changelog; what builds it is left out."""
    folder = tmp_path / "checkout"
    (folder / "controller").mkdir(parents=True)
    (folder / "controller/__init__.py").write_text('"""x"""\n\n__version__ = "0.3.0"\n', encoding="utf-8")
    (folder / "CHANGELOG.md").write_text(TEXT, encoding="utf-8")
    monkeypatch.chdir(folder)
    for words in (
        ["init", "--quiet"],
        ["add", "."],
        ["-c", "user.name=x", "-c", "user.email=x@example.com", "commit", "--quiet", "-m", "x"],
    ):
        subprocess.run(["git", *words], check=True)

    def built(source: Path, origin: release.Origin, out: Path) -> None:
        out.mkdir()
        (out / release.SUMS).write_text("sums\n", encoding="utf-8")

    monkeypatch.setattr(release, "build", built)
    monkeypatch.setattr(release, "sign", lambda folder, key: (folder / release.SIGNATURE).write_bytes(b"signed"))
    return folder


def test_what_is_signed_agrees_and_says_what_is_next(
    commit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, key = tmp_path / "out", tmp_path / "release.key"
    words = ["build", str(out), "--key", str(key)]
    assert release.main(words) == 1
    assert "the commit has no tag v0.3.0: git tag v0.3.0" in capsys.readouterr().err
    assert not out.exists()
    subprocess.run(["git", "tag", "v0.3.0"], check=True)
    assert release.main(words) == 0
    said = capsys.readouterr().out
    assert f"{out}: table-controller 0.3.0, signed" in said
    assert f"notes {out}/RELEASE-NOTES.md" in said
    assert "git push origin v0.3.0" in said
    assert (out / release.SIGNATURE).exists()


def test_a_trial_is_built_and_says_what_it_lacks(
    commit: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert release.main(["build", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out
    assert "not signed: KEY= names no key" in said
    assert "before it is a release: the commit has no tag v0.3.0" in said
