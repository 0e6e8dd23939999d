"""requirements.txt fits setup.py, and each package has the groups that need it."""

import re

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tools.lock import LOCK, groups, labelled

LINE = re.compile(r"^# (?P<groups>.+)\n(?P<name>[a-z0-9-]+)==(?P<version>\S+)", re.MULTILINE)
OUTPUT = """\
bell==1.0 \\
    --hash=sha256:b1 \\
    --hash=sha256:b2
    # via -r base.in
clapper==2.0 ; sys_platform == 'linux' \\
    --hash=sha256:c1
    # via
    #   bell
    #   rope[wet]
rope==3.0 \\
    --hash=sha256:r1
    # via
    #   -r pi.in
    #   -r lock.in
"""


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


def test_a_package_has_the_groups_of_all_that_need_it_and_keeps_its_hashes() -> None:
    assert labelled(OUTPUT, ["base", "pi", "build", "lock"]) == (
        "# base pi\nbell==1.0 \\\n    --hash=sha256:b1 \\\n    --hash=sha256:b2\n"
        "# base pi lock\nclapper==2.0 ; sys_platform == 'linux' \\\n    --hash=sha256:c1\n"
        "# pi lock\nrope==3.0 \\\n    --hash=sha256:r1\n"
    )
