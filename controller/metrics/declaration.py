"""What a metric is called and means. The collectors of table, publisher and floor declare theirs with it.

Names follow https://prometheus.io/docs/practices/naming/: one prefix, base units, ``_total`` for what only grows.
Nothing here loads the client library.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

PREFIX = "table_controller_"
UNITS = ("seconds", "bytes")
"""The base units; a metric without one counts, or is 0 or 1."""


class MetricKind(StrEnum):
    """The types of metrics of OpenMetrics 1.0 that are used here."""

    COUNTER = "counter"
    GAUGE = "gauge"
    HISTOGRAM = "histogram"
    INFO = "info"
    STATES = "stateset"


@dataclass(frozen=True, slots=True, eq=False)
class MetricDeclaration:
    """A metric.

    Attributes:
        name: as Prometheus stores it; of a histogram without ``_bucket``, ``_sum`` and ``_count``.
        help: what it says, as a sentence.
        labels: what each label's values are. No label has a round, a person or a dealer.
    """

    name: str
    kind: MetricKind
    help: str
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def unit(self) -> str:
        """The base unit; empty for none."""
        last = self.name.removesuffix("_total").rpartition("_")[2]
        return last if last in UNITS else ""

    @property
    def family(self) -> str:
        """The name of the family in OpenMetrics, to which the format adds the end of each sample's name."""
        ends = {MetricKind.COUNTER: "_total", MetricKind.INFO: "_info"}
        return self.name.removesuffix(ends.get(self.kind, ""))


BUILD = MetricDeclaration(
    f"{PREFIX}build_info",
    MetricKind.INFO,
    "The version that runs; always 1.",
    {"component": "table, publisher or floor", "version": "of this software"},
)
STARTED = MetricDeclaration(
    f"{PREFIX}start_time_seconds", MetricKind.GAUGE, "When this process started, in seconds since 1970 UTC."
)
EVERYWHERE = (BUILD, STARTED)
"""What each of the three says of itself."""
