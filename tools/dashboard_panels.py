"""What a dashboard for Grafana is made of: panels with a unit, a description, and expressions in PromQL.

``tools/dashboards.py`` makes JSON of them. In ``tests/system/floor/floor_prometheus.py`` Prometheus evaluates each
expression on numbers that table, publisher and floor gave.
"""

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Query:
    """An expression, and what its lines are called."""

    expr: str
    legend: str = ""


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel.

    Attributes:
        kind: of Grafana's panels: stat, timeseries, bargauge or table.
        unit: by Grafana's name; short counts.
        rare: why it may have no value in a house in order; empty if it always has one.
    """

    title: str
    kind: str
    unit: str
    says: str
    queries: tuple[Query, ...]
    width: int = 12
    rare: str = ""


@dataclass(frozen=True, slots=True)
class Dashboard:
    """A dashboard.

    Attributes:
        variable: a label of its metrics, of which any values can be chosen.
        prefix: of its metrics.
        source: the metric whose values of the label can be chosen.
    """

    uid: str
    title: str
    variable: str
    prefix: str
    source: str
    panels: tuple[Panel, ...]


def stat(title: str, unit: str, says: str, expr: str, rare: str = "") -> Panel:
    """A number."""
    return Panel(title, "stat", unit, says, (Query(expr),), 4, rare)


def lines(title: str, unit: str, says: str, *queries: tuple[str, str], rare: str = "") -> Panel:
    """Lines over time: an expression each, and what they are called."""
    return Panel(title, "timeseries", unit, says, tuple(Query(*one) for one in queries), 12, rare)


def quantile(share: str, name: str) -> str:
    """The value that so large a share of a histogram's measurements does not exceed."""
    return f"histogram_quantile({share}, sum by (le) (rate(@{name}_bucket[$__rate_interval])))"


def expanded(dashboard: Dashboard, expr: str) -> str:
    """An expression with whole names: ``@x`` is the dashboard's metric x of the chosen tables or floor."""
    chosen = f'{dashboard.variable}=~"${dashboard.variable}"'
    names = re.sub(r"@(\w+)(?!\w|\{)", rf"{dashboard.prefix}\1{{{chosen}}}", expr)
    return re.sub(r"@(\w+)\{", rf"{dashboard.prefix}\1{{{chosen},", names)
