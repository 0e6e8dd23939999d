"""A calibrated wheel in a table's file: the values, and nothing else of the file, are changed."""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from textwrap import wrap

from config.characters import decode
from config.clapper import MeasuredClapper, PerDirection, PerDirectionLoss
from config.edit import check_writable, replace, where, with_entry, with_value
from config.loader import load_text, read
from config.problems import Path as Key
from config.rules import GENERAL_RULES
from config.schema import WheelSection
from controller.configuration.rules import GAME_RULES
from hal.errors import HalError

_BOM = b"\xef\xbb\xbf"
_LEAST_WIDTH, _MOST_WIDTH = 72, 116
_REVERSED: Key = ("wheel", "reversed")
_INDEX: Key = ("wheel", "index_offset_counts")
_CLAPPER: Key = ("wheel", "clapper")


@dataclass(frozen=True, slots=True)
class ChangedFile:
    """A table's file as it will be.

    Attributes:
        path: of the file.
        text: its new contents, which every rule has accepted.
        changes: what is new, each with its line.
    """

    path: Path
    text: str
    changes: tuple[str, ...]

    def write(self) -> None:
        """Put it in the old one's place.

        Raises:
            HalError: it cannot be written; the old one is as it was.
        """
        try:
            replace(self.path, self.text)
        except OSError as error:
            raise _unwritable(self.path, error) from error


def check_file(path: Path) -> None:
    """Whether the file can be written, before anybody turns a wheel for it.

    Raises:
        HalError: it cannot.
    """
    try:
        check_writable(path)
    except OSError as error:
        raise _unwritable(path, error) from error


def _unwritable(path: Path, error: OSError) -> HalError:
    return HalError(f"{path} cannot be written: {error.strerror}; nothing was changed")


def calibrated_file(path: Path, old: WheelSection, new: WheelSection) -> ChangedFile:
    """The file with the new values.

    Args:
        old: the wheel's section as the file has it.
        new: as it is to be.

    Raises:
        NotFoundError: the file says a value in a way that cannot be changed in its place.
        ConfigError: a rule does not accept the new values.
    """
    data, name = read(path), str(path)
    text = decode(data, name)
    changes: dict[Key, str] = {}
    if new.reversed != old.reversed:
        changes[_REVERSED] = f"reversed: {str(new.reversed).lower()}"
        text = with_entry(text, name, _REVERSED, [changes[_REVERSED]])
    text = with_value(text, name, _INDEX, str(new.index_offset_counts))
    changes[_INDEX] = f"index_offset_counts: {old.index_offset_counts} -> {new.index_offset_counts}"
    assert new.clapper is not None
    width = min(_MOST_WIDTH, max(_LEAST_WIDTH, *map(len, text.splitlines())))
    text = with_entry(text, name, _CLAPPER, list(_clapper_lines(new.clapper, width)))
    before = f", in place of {old.clapper.measured}" if old.clapper is not None else ""
    changes[_CLAPPER] = f"clapper: measured {new.clapper.measured}{before}"
    if data.startswith(_BOM):
        text = f"{_BOM.decode()}{text}"
    load_text(text.encode(), name, (*GENERAL_RULES, *GAME_RULES))
    said = tuple(f"{path}:{where(text, name, key).line}: {change}" for key, change in changes.items())
    return ChangedFile(path, text, said)


def _clapper_lines(clapper: MeasuredClapper, width: int) -> Iterator[str]:
    """The section ``clapper`` as YAML.

    Args:
        width: the longest line, where that is possible.
    """
    yield "clapper: # measured by calibrate, which replaces all of it; measure again after work on wheel or clapper"
    for key in type(clapper).model_fields:
        if key not in clapper.model_fields_set:
            continue
        value = getattr(clapper, key)
        if isinstance(value, PerDirection | PerDirectionLoss):
            text = f"{{clockwise: {value.clockwise:f}, counterclockwise: {value.counterclockwise:f}}}"
        elif isinstance(value, list):
            text = f"[{', '.join(f'{one:f}' for one in value)}]"
        else:
            text = f"{value:f}" if isinstance(value, Decimal) else str(value)
        yield from wrap(
            f"{key}: {text}", width - 2, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
        )
