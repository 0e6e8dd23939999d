"""A measured wheel as a table's file has it, and as people read it.

The values, and nothing else of the file, are changed.
"""

import cmath
import math
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from textwrap import wrap

from pydantic import ValidationError

from config.edit import check_writable, place_of, replace, with_entry, with_value
from config.loader import load_text, read
from config.problems import Path as Key
from config.schema import MeasuredClapper, PerDirection, WheelSection
from controller.commissioning.wheel_measurement import Measured, run_out
from controller.commissioning.wheel_recording import MeasurementError
from controller.configuration.rules import RULES
from hal.errors import HalError

WAYS = {-1: "clockwise", 1: "counterclockwise"}
RELEASE_MARGIN_DEG = 0.1
_BOM = b"\xef\xbb\xbf"
_LEAST_WIDTH, _MOST_WIDTH = 72, 116
_REVERSED: Key = ("wheel", "reversed")
_INDEX: Key = ("wheel", "index_offset_counts")
_CLAPPER: Key = ("wheel", "clapper")


def in_file(wheel: WheelSection, measured: Measured, spread_deg: float, turned: int, day: str) -> WheelSection:
    """The wheel's section of the file.

    Args:
        spread_deg: how far the crossings of the index mark lie apart.
        turned: the number of the first measured peg.
        day: of the measurement.

    Raises:
        MeasurementError: a value is beyond those of any wheel.
    """
    sections = len(measured.pegs_deg)
    pitch, degree = 360 / sections, 360 / wheel.counts_per_turn
    offset = round((turned * pitch - measured.first_deg) / degree) % wheel.counts_per_turn
    rest = (measured.first_deg + offset * degree - turned * pitch + 180) % 360 - 180
    own, once = run_out([error or 0.0 for error in measured.pegs_deg])

    def both(value: Callable[[int], float]) -> PerDirection:
        return PerDirection(clockwise=rounded(value(-1)), counterclockwise=rounded(value(1)))

    def releases(way: int, end: int) -> float:
        return measured.releases_deg[way][end] if way in measured.releases_deg else 0.0

    try:
        clapper = MeasuredClapper(
            measured=day,
            strikes_deg=both(lambda way: measured.strikes_deg.get(way, 0.0)),
            releases_from_deg=both(lambda way: releases(way, 0) - RELEASE_MARGIN_DEG),
            releases_to_deg=both(lambda way: releases(way, 1) + RELEASE_MARGIN_DEG),
            strike_delay_ms=rounded(measured.strike_delay_s * 1000),
            release_delay_ms=rounded(measured.release_delay_s * 1000),
            pegs_deg=[rounded(own[(peg - turned) % sections] + rest) for peg in range(sections)],
            runout_deg=rounded(abs(once)),
            runout_at_deg=rounded((math.degrees(cmath.phase(once)) + turned * pitch) % 360) % 360,
            left_over_deg=rounded(measured.left_over_deg + spread_deg),
        )
    except ValidationError as error:
        beyond = sorted({f"{one['loc'][0]} {one['input']}" for one in error.errors()})
        raise MeasurementError(
            f"no wheel has such a clapper: {', '.join(beyond)}; look at contact, leather and encoder, and record "
            "again"
        ) from error
    return wheel.model_copy(update={"index_offset_counts": offset, "clapper": clapper})


def rounded(value: float, digits: int = 3) -> Decimal:
    """As the file has it."""
    scale = 10**digits
    return Decimal(round(value * scale)) / scale if math.isfinite(value) else Decimal(0)


# -- as people read it ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure of the wheel.

    Attributes:
        name: what it is, with the direction.
        unit: of the values; empty for a part of 1.
        before: as calibrated, or measured before; None if it was not.
        now: as measured; None if it cannot be.
        remedy: what to do, if it has drifted; else empty.
    """

    name: str
    unit: str
    before: float | None
    now: float | None
    remedy: str = ""

    def __str__(self) -> str:
        return f"{self.name:<38}{self._value(self.now):>9}{self._value(self.before):>12}"

    def _value(self, value: float | None) -> str:
        if value is None:
            return "–"
        return f"{value:.2f}{self.unit}" if self.unit else f"{value:.1%}"


def clapper_figures(
    now: MeasuredClapper, before: MeasuredClapper | None, later: Mapping[int, float]
) -> Iterator[Figure]:
    """The measured figures.

    Args:
        later: directions that are shown, and by how much later than ``now`` says all places are in it, in degrees.
    """
    old, new = ({} if clapper is None else dict(_figures(clapper)) for clapper in (before, now))
    for (name, unit, way), value in new.items():
        if not way or way in later:
            told = f"{name} {WAYS[way]}" if way else name
            yield Figure(told, unit, old.get((name, unit, way)), value + later.get(way, 0.0))


def _figures(clapper: MeasuredClapper) -> Iterator[tuple[tuple[str, str, int], float]]:
    """Name, unit and direction, 0 for both, of each figure, and its value."""
    for way, name in WAYS.items():
        strikes, *releases = (
            float(getattr(places, name))
            for places in (clapper.strikes_deg, clapper.releases_from_deg, clapper.releases_to_deg)
        )
        yield ("strike", "°", way), strikes
        yield ("release", "°", way), sum(releases) / 2
    yield ("strike delay", " ms", 0), float(clapper.strike_delay_ms)
    yield ("release delay", " ms", 0), float(clapper.release_delay_ms)
    yield ("strikes scatter by", "°", 0), float(clapper.left_over_deg)
    yield ("encoder is out of centre by", "°", 0), float(clapper.runout_deg)


# -- written -------------------------------------------------------------------------------------------------------


def check_file(path: Path) -> None:
    """Whether the file can be written, before anybody turns a wheel for it.

    Raises:
        HalError: it cannot.
    """
    with _writing(path):
        check_writable(path)


def write(path: Path, text: str) -> None:
    """Put new contents in the file's place.

    Raises:
        HalError: it cannot be written; the old one is as it was.
    """
    with _writing(path):
        replace(path, text)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise HalError(f"{path} cannot be written: {error.strerror}; nothing was changed") from error


def calibrated_file(path: Path, old: WheelSection, new: WheelSection) -> tuple[str, list[str]]:
    """The file with the new values, which every rule has accepted; and what is new, each with its line.

    Args:
        old: the wheel's section as the file has it.
        new: as it is to be.

    Raises:
        NotFoundError: the file says a value in a way that cannot be changed in its place.
        ConfigError: a rule does not accept the new values.
    """
    data, name = read(path), str(path)
    text = data.removeprefix(_BOM).decode()
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
    load_text(text.encode(), name, RULES)
    return text, [f"{path}:{place_of(text, name, key).key.line}: {change}" for key, change in changes.items()]


def _clapper_lines(clapper: MeasuredClapper, width: int) -> Iterator[str]:
    """The section ``clapper`` as YAML, in lines of this width where that is possible."""
    yield "clapper: # measured by calibrate, which replaces all of it; measure again after work on wheel or clapper"
    for key, value in clapper.model_dump(exclude_unset=True).items():
        if isinstance(value, dict):
            text = f"{{{', '.join(f'{way}: {one:f}' for way, one in value.items())}}}"
        elif isinstance(value, list):
            text = f"[{', '.join(f'{one:f}' for one in value)}]"
        else:
            text = f"{value:f}" if isinstance(value, Decimal) else str(value)
        yield from wrap(
            f"{key}: {text}", width - 2, initial_indent="  ", subsequent_indent="    ", break_on_hyphens=False
        )
