"""Tables whose wheel was calibrated, and then wore: the table's file, and rounds that are played."""

from decimal import Decimal
from pathlib import Path
from typing import Any

import yaml
from campaigns.measured_wheel import MeasuredWheel
from replay_table import settle, spin

from controller.bench.rig import Rig
from controller.configuration.shipped import load_table, shipped_tables
from controller.events.event import Direction

PEG = 11


def fleet_wheel() -> MeasuredWheel:
    """A wheel of the fleet in balance, of 54 sections and a coarse encoder."""
    settings = MeasuredWheel(3).settings
    return MeasuredWheel(3, settings.model_copy(update={"imbalance_nm": 0.0}))


def bent(wheel: MeasuredWheel, by_deg: float = 0.4) -> MeasuredWheel:
    """The same wheel with a peg that was bent after the calibration."""
    return wheel.worn(bent_pegs={**wheel.settings.bent_pegs, PEG: wheel.settings.bent_pegs.get(PEG, 0.0) + by_deg})


def numbers(value: Any) -> Any:
    """A section as a file has it."""
    if isinstance(value, dict):
        return {key: numbers(one) for key, one in value.items() if one is not None}
    if isinstance(value, list):
        return [numbers(one) for one in value]
    return float(value) if isinstance(value, Decimal) else value


def table_file(folder: Path, wheel: MeasuredWheel, measured: str = "2025-12-01") -> Path:
    """The file of a Dreamcatcher table with this wheel, calibrated on a day; its journal lies beside it."""
    document = yaml.safe_load(shipped_tables()["dreamcatcher"].read_text(encoding="utf-8"))
    assert wheel.calibration is not None
    document["journal"] = {"file": "table.journal"}
    document["wheel"] = numbers(wheel.calibration.model_dump())
    document["wheel"]["clapper"]["measured"] = measured
    file = folder / "table.yaml"
    file.write_text(yaml.safe_dump(document), encoding="utf-8")
    return file


def worn_rig(file: Path, wheel: MeasuredWheel, journal: Path | None = None, **how: Any) -> Rig:
    """The table of a file on simulated hardware, open for wagers; the wheel may have worn since."""
    rig = Rig(load_table(file).config, journal, wheel.settings.model_dump(exclude_none=True), **how)
    rig.turn(1.2)
    assert rig.state.value == "bets-open", rig.waiting_for
    return rig


def play_round(rig: Rig, number: int) -> None:
    """A round, thrown one way and the other in turn."""
    spin(rig, revolutions=4.3, direction=(Direction.CLOCKWISE, Direction.COUNTERCLOCKWISE)[number % 2])
    settle(rig)
