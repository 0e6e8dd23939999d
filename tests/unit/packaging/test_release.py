"""What a release contains, and which commits cannot be one."""

import subprocess
from pathlib import Path

import pytest

from controller.runtime.software import PACKAGES, digest_of
from tools.release import LICENCES, NOTES, SUMS, build, problems

CHANGELOG = "# Changelog\n\n## 1.2.0 — 2026-05-04\n\n- A wheel.\n\n## 1.1.0 — 2026-01-02\n\n- A die.\n"
TAGS = ["v1.2.0", "tried"]


def test_a_release_has_wheel_source_lock_and_notes_and_the_sums_of_all(tmp_path: Path) -> None:
    source, out = tmp_path / "source", tmp_path / "release"
    (source / "controller").mkdir(parents=True)
    (source / "controller/__init__.py").write_text('__version__ = "1.2.0"\n')
    for package in ("config", "hal"):
        (source / package).mkdir()
        (source / package / "__init__.py").write_text("")
    about = "name='table-controller', version='1.2.0', packages=['config', 'controller', 'hal']"
    (source / "setup.py").write_text(f"from setuptools import setup\nsetup({about})\n")
    (source / "requirements.txt").write_text("# pi\nspidev==3.8 \\\n# dev\npytest==9.2.0 \\\n# lock\nuv==1 \\\n")
    (source / "CHANGELOG.md").write_text(CHANGELOG)
    build(source, out)
    digest = digest_of({package: source / package for package in PACKAGES})
    assert (out / NOTES).read_text() == f"# Table controller 1.2.0\n\n- A wheel.\n\nSoftware digest: {digest}\n"
    assert "| spidev | 3.8 | MIT |\n| pytest | 9.2.0 | MIT |\n" in (out / LICENCES).read_text()
    names = (
        LICENCES,
        "requirements.txt",
        "table_controller-1.2.0-py3-none-any.whl",
        "table_controller-1.2.0.tar.gz",
    )
    assert {path.name for path in out.iterdir()} == {*names, NOTES, SUMS}
    assert {line[66:] for line in (out / SUMS).read_text().splitlines()} == {*names, NOTES}
    subprocess.run(["sha256sum", "--check", "--strict", "--quiet", SUMS], cwd=out, check=True)


@pytest.mark.parametrize(
    ("version", "changelog", "tags", "changed", "found"),
    [
        ("1.2.0", CHANGELOG, TAGS, "", ""),
        ("1.2.0", CHANGELOG, TAGS, " M setup.py\n", "there are changes that are not committed"),
        ("1.2.0", CHANGELOG, ["v1.1.0"], "", "the commit has no tag v1.2.0: git tag v1.2.0"),
        ("1.1.0", CHANGELOG, ["v1.1.0"], "", "CHANGELOG.md does not begin with 1.1.0"),
        ("1.2.0", CHANGELOG.replace("2026-05-04", "unreleased"), TAGS, "", "CHANGELOG.md has no day for 1.2.0"),
        ("1.2.0", CHANGELOG.replace("- A wheel.\n", ""), TAGS, "", "CHANGELOG.md has nothing about 1.2.0"),
    ],
)
def test_a_commit_that_does_not_fit_its_release_says_what_to_correct(
    version: str, changelog: str, tags: list[str], changed: str, found: str
) -> None:
    said = problems(version, changelog, tags, changed)
    assert len(said) == bool(found)
    assert "".join(said).startswith(found)
