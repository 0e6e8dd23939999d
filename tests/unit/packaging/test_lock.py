"""requirements.txt fits setup.py, and each package has the groups that need it."""

import re

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.lock import LOCK, groups

LINE = re.compile(r"^# (?P<groups>.+)\n(?P<name>[a-z0-9-]+)==(?P<version>\S+)", re.MULTILINE)


def test_every_requirement_is_locked_for_its_group_in_a_version_that_fits() -> None:
    """After a change to setup.py or pyproject.toml: make lock."""
    locked = {
        (group, found["name"]): found["version"]
        for found in LINE.finditer(LOCK.read_text(encoding="utf-8"))
        for group in found["groups"].split()
    }
    for group, lines in groups().items():
        for requirement in map(Requirement, lines):
            version = locked.get((group, canonicalize_name(requirement.name)))
            assert version in requirement.specifier if version else False, f"{group}: {requirement}"
