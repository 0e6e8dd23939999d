"""What the kiosk is to show. The table's user reads it from the table's file, the kiosk's may not.

The two meet in a file of ``/run``, written beside and renamed: :data:`FILE`.
"""

import json
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path

FILE = Path("/run/table-controller-kiosk-settings/settings.json")
"""Written by ``table-controller-kiosk-settings.service``."""
FIRST_START = Path("/run/table-first-start")
"""Why a card's table has no settings yet; written by the card's ``first_start.py``."""
_MOST_BYTES = 65_536
_REQUESTED = re.compile(r"(?m)^\s+kiosk:\s*['\"]?(?:board|dealer)\b")


@dataclass(frozen=True, slots=True)
class KioskSettings:
    """What is to be shown.

    Attributes:
        page: ``board`` or ``dealer``; empty for none.
        url: of that page.
        problems: what is wrong with the settings of the table, a sentence each; shown in place of a page.
    """

    page: str = ""
    url: str = ""
    problems: tuple[str, ...] = ()

    @property
    def shows(self) -> bool:
        """Whether there is anything to be shown."""
        return bool(self.page or self.problems)


def settings_of(file: Path, first_start: Path = FIRST_START) -> KioskSettings:
    """What a table's file asks for; where it cannot be used and requests a kiosk, what is wrong with it.

    Args:
        file: the table's.
        first_start: why there is none, on a new card.
    """
    from config.problems import ConfigError, listed  # Not in the process that stays.
    from controller.configuration.shipped import load_table
    from controller.kiosk.address import url_of

    if not file.exists():
        return KioskSettings(problems=_lines(first_start))
    try:
        screens = load_table(file).config.screens
    except ConfigError as error:
        requested = _REQUESTED.search(_text(file)) is not None
        return KioskSettings(problems=tuple(listed(error.problems)) if requested else ())
    if screens.kiosk is None:
        return KioskSettings()
    return KioskSettings(screens.kiosk, url_of(screens))


def write(settings: KioskSettings, file: Path = FILE) -> None:
    """Hand the settings over.

    Raises:
        OSError: they cannot be written.
    """
    beside = file.with_name(f".{file.name}")
    beside.write_text(json.dumps(asdict(settings)), "utf-8")
    beside.chmod(0o644)
    os.replace(beside, file)


def read(file: Path = FILE) -> KioskSettings:
    """The settings; empty ones while there are none that can be read."""
    with suppress(OSError, ValueError):
        with file.open("rb") as stream:
            found = json.loads(stream.read(_MOST_BYTES))
        if isinstance(found, dict):
            return KioskSettings(_word(found, "page"), _word(found, "url"), _words(found.get("problems")))
    return KioskSettings()


def _word(found: dict[str, object], key: str) -> str:
    value = found.get(key, "")
    return value if isinstance(value, str) else ""


def _words(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, Sequence) and not isinstance(value, str) else ()


def _lines(file: Path) -> tuple[str, ...]:
    return tuple(line for line in _text(file).splitlines() if line.strip())


def _text(file: Path) -> str:
    with suppress(OSError):
        return file.read_text("utf-8", "replace")[:_MOST_BYTES]
    return ""
