"""A release's bill of materials in CycloneDX 1.6 (ECMA-424), from the locks: name, version, licence and hashes.

A package has the SHA-256 of each of its files that the lock admits, one of which is installed. Licences are from
``requirements/licences.json``, for a lock has none. Nothing in it is of the moment or the machine that wrote it.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import NAMESPACE_URL, uuid5

from cyclonedx.contrib.license.factories import LicenseFactory
from cyclonedx.model import HashAlgorithm, HashType, Property
from cyclonedx.model.bom import Bom, BomMetaData
from cyclonedx.model.component import Component, ComponentType
from cyclonedx.output.json import JsonV1Dot6
from packageurl import PackageURL

LOCKS = ("run", "gpio", "pi", "publish", "sign", "shell", "floor", "build")
"""Of what is installed on a table's or the floor's computer, and what builds it there."""
LICENCES = "licences.json"

_PACKAGE = re.compile(
    r"(?P<name>[a-z0-9.-]+)==(?P<version>\S+)(?: ; (?P<marker>.+?))?(?P<hashes>(?: +--hash=\S+)+)"
)
_HASH = re.compile(r"--hash=sha256:([0-9a-f]{64})")


@dataclass(frozen=True, slots=True)
class LockedPackage:
    """One package of the locks.

    Attributes:
        hashes: SHA-256 of each file of it, hexadecimal.
        marker: for which platforms and versions of Python it is; empty for all.
        locks: those that have it.
    """

    name: str
    version: str
    hashes: tuple[str, ...]
    marker: str
    locks: tuple[str, ...]


def locked_packages(folder: Path, locks: Iterable[str] = LOCKS) -> list[LockedPackage]:
    """The packages of the locks in a folder, by name.

    Raises:
        ValueError: a line of a lock is no package with hashes; the message names file and line.
    """
    found: dict[str, LockedPackage] = {}
    for lock in locks:
        file = folder / f"{lock}.txt"
        for line in file.read_text(encoding="utf-8").replace("\\\n", " ").splitlines():
            match = _PACKAGE.fullmatch(line.strip())
            if match is None:
                raise ValueError(f"{file}: '{line[:60]}' is no package with its hashes; run: make lock")
            name, before = match["name"], found.get(match["name"])
            hashes = tuple(sorted(_HASH.findall(match["hashes"])))
            in_locks = (*before.locks, lock) if before is not None else (lock,)
            found[name] = LockedPackage(name, match["version"], hashes, (match["marker"] or "").strip(), in_locks)
    return [found[name] for name in sorted(found)]


def bill_of_materials(folder: Path, version: str, commit: str, epoch_s: int, sums: Mapping[str, str]) -> str:
    """The document as JSON.

    Args:
        folder: of the locks.
        epoch_s: when the commit was made, in seconds since 1970.
        sums: SHA-256 of the release's own archives, by name.
    """
    licences: dict[str, str] = json.loads((folder / LICENCES).read_text(encoding="utf-8"))
    table = Component(
        name="table-controller",
        version=version,
        type=ComponentType.FIRMWARE,
        bom_ref=f"pkg:pypi/table-controller@{version}",
        purl=PackageURL("pypi", name="table-controller", version=version),
        licenses=[LicenseFactory().make_from_string("Apache-2.0")],
        hashes=_hashes(sums.values()),
        properties=[Property(name="table-controller:commit", value=commit)],
    )
    components = [_component(package, licences) for package in locked_packages(folder)]
    bom = Bom(
        serial_number=uuid5(NAMESPACE_URL, f"table-controller {version} {commit} {sorted(sums.items())}"),
        metadata=BomMetaData(component=table, timestamp=datetime.fromtimestamp(epoch_s, UTC)),
        components=components,
    )
    bom.register_dependency(table, components)
    return JsonV1Dot6(bom).output_as_string(indent=2) + "\n"


def _component(package: LockedPackage, licences: Mapping[str, str]) -> Component:
    licence = licences.get(package.name)
    properties = [Property(name="table-controller:lock", value=lock) for lock in package.locks]
    if package.marker:
        properties.append(Property(name="table-controller:marker", value=package.marker))
    return Component(
        name=package.name,
        version=package.version,
        bom_ref=f"pkg:pypi/{package.name}@{package.version}",
        purl=PackageURL("pypi", name=package.name, version=package.version),
        licenses=[LicenseFactory().make_from_string(licence)] if licence else [],
        hashes=_hashes(package.hashes),
        properties=properties,
    )


def _hashes(sums: Iterable[str]) -> list[HashType]:
    return [HashType(alg=HashAlgorithm.SHA_256, content=one) for one in sums]
