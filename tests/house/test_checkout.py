"""The checkout holds the project, and nothing that a run has left: no benchmark's files, no key, no journal."""

import os
from fnmatch import fnmatch

from project import ROOT

TOP = {
    *(".ci", ".git", ".github", ".gitignore", ".importlinter"),
    *("CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "Makefile", "README.md", "SECURITY.md"),
    *("benchmarks", "config", "controller", "deploy", "docs", "hal", "requirements", "systemd", "tests", "tools"),
    *("pyproject.toml", "setup.py", "tsconfig.json"),
}
IGNORED = (".venv", "build", "dist", "__pycache__", "*.egg-info", ".*_cache", ".hypothesis")
"""What Git ignores, and ``make clean`` or a person takes away."""
LEFT = ("*.journal*", "*.db", "*.db-*", "*.key", "*.pem", "*.lock", "*.pid", "*.log", "*.core")
"""What tables, floors and servers write; recordings that tests read are no files of these names."""


def ignored(name: str) -> bool:
    return any(fnmatch(name, pattern) for pattern in IGNORED)


def test_nothing_but_the_project_lies_at_the_top() -> None:
    foreign = {name for name in os.listdir(ROOT) if not ignored(name)} - TOP
    assert not foreign, f"take away {', '.join(sorted(foreign))}, or name it in TOP"


def test_no_link_leads_to_this_computer_and_no_run_has_left_a_file() -> None:
    for folder, names, files in os.walk(ROOT):
        names[:] = [name for name in names if not ignored(name) and name != ".git"]
        for name in (*names, *files):
            path = os.path.join(folder, name)
            assert not (os.path.islink(path) and os.path.isabs(os.readlink(path))), (
                f"{path} leads to {os.readlink(path)}"
            )
            assert not any(fnmatch(name, pattern) for pattern in LEFT), f"{path} was left by a run"
