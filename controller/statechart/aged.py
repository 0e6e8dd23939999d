"""Data of rounds that are played with dice or cards of limited age."""

from hal.lazy_dataclass import dataclass


@dataclass(frozen=True)
class Aged:
    """The part of a table's data about the age of its dice or cards."""

    fitted_utc_ns: int = 0
    """When they were put to use; 0 if not recorded."""
    retired: bool = False
    """They have reached their age limit."""
