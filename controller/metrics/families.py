"""Declared metrics with their numbers, and the text that Prometheus reads. Loads the client library.

Imported only where ``metrics`` is configured; the collectors of table, publisher and floor call it at a scrape.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from prometheus_client import Metric
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    InfoMetricFamily,
    StateSetMetricFamily,
)
from prometheus_client.exposition import choose_encoder
from prometheus_client.registry import Collector

from controller import __version__
from controller.metrics.bucket_counts import BucketCounts
from controller.metrics.declaration import BUILD, STARTED, MetricDeclaration, MetricKind

_ODD_VERSION = re.compile(r"version=(?![0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}(?:[;,\s]|$))")
"""A version for which the library's choice raises, or that it would repeat in its answer."""

Values = tuple[str, ...]
"""The values of a metric's labels, in the order of their declaration."""


def numbers(declared: MetricDeclaration, samples: Mapping[Values, float]) -> Metric:
    """A counter or a gauge with labels."""
    made = _counter_or_gauge(declared)
    for values, number in samples.items():
        made.add_metric(values, number)
    return made


def number(declared: MetricDeclaration, value: float) -> Metric:
    """A counter or a gauge without labels."""
    return numbers(declared, {(): value})


def _counter_or_gauge(declared: MetricDeclaration) -> CounterMetricFamily | GaugeMetricFamily:
    if declared.kind is MetricKind.COUNTER:
        return CounterMetricFamily(
            declared.family, declared.help, labels=tuple(declared.labels), unit=declared.unit
        )
    assert declared.kind is MetricKind.GAUGE
    return GaugeMetricFamily(declared.family, declared.help, labels=tuple(declared.labels), unit=declared.unit)


def info(declared: MetricDeclaration, values: Values) -> Metric:
    """What does not change while the process runs."""
    assert declared.kind is MetricKind.INFO
    labelled = dict(zip(declared.labels, values, strict=True))
    return InfoMetricFamily(declared.family, declared.help, value=labelled)


def states(declared: MetricDeclaration, samples: Mapping[Values, Mapping[str, bool]]) -> Metric:
    """Which of the possible states holds; its label is called as the metric."""
    assert declared.kind is MetricKind.STATES
    own = tuple(label for label in declared.labels if label != declared.name)
    made = StateSetMetricFamily(declared.family, declared.help, labels=own)
    for values, holds in samples.items():
        made.add_metric(values, dict(holds))
    return made


def histogram(declared: MetricDeclaration, samples: Mapping[Values, BucketCounts]) -> Metric:
    """How measurements are distributed."""
    assert declared.kind is MetricKind.HISTOGRAM
    made = HistogramMetricFamily(declared.family, declared.help, labels=tuple(declared.labels), unit=declared.unit)
    for values, counts in samples.items():
        made.add_metric(values, list(counts.cumulative()), counts.total)
    return made


def of_process(component: str, started_s: float) -> Iterator[Metric]:
    """What table, publisher and floor each say of themselves.

    Args:
        started_s: since 1970 UTC.
    """
    yield info(BUILD, (component, __version__))
    yield number(STARTED, started_s)


@dataclass(frozen=True, slots=True)
class _Collected(Collector):
    families: tuple[Metric, ...]

    def collect(self) -> Iterable[Metric]:
        return self.families


def exposed(families: Iterable[Metric], accept: str) -> tuple[bytes, str]:
    """The text of metrics, and its content type: OpenMetrics for who accepts it, else Prometheus' text format.

    Args:
        accept: the request's header; anything may stand in it.
    """
    encode, kind = choose_encoder("" if _ODD_VERSION.search(accept) else accept)
    return encode(_Collected(tuple(families))), kind
