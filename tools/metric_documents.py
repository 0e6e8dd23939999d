"""Writes the tables of ``docs/metrics.md``: every metric of table, publisher and floor, from the declarations.

Run by ``make docs``; a test fails when the document is not current.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

from controller.floor.pages.metrics_declared import OF_FLOOR
from controller.metrics.declaration import EVERYWHERE, MetricDeclaration
from controller.publishing.metrics_declared import OF_PUBLISHER
from controller.screens.table_metrics_declared import OF_TABLE

FILE = Path(__file__).parents[1] / "docs" / "metrics.md"
PARTS = (
    ("Of all three", EVERYWHERE),
    ("Of a table", OF_TABLE),
    ("Of a publisher", OF_PUBLISHER),
    ("Of a floor", OF_FLOOR),
)
_BEGIN = "## Every metric\n"
"""Behind it is what this makes; what stands before is written by hand."""


def page() -> str:
    """The whole page."""
    by_hand = FILE.read_text(encoding="utf-8").partition(_BEGIN)[0]
    made = "\n".join(f"### {title}\n\n{_table(declared)}" for title, declared in PARTS)
    return f"{by_hand}{_BEGIN}\n{made}"


def _table(declared: Iterable[MetricDeclaration]) -> str:
    head = "| name | type | labels | unit | meaning |\n| --- | --- | --- | --- | --- |\n"
    return head + "".join(_rows(declared))


def _rows(declared: Iterable[MetricDeclaration]) -> Iterator[str]:
    for one in declared:
        labels = "<br>".join(f"`{name}`: {values}" for name, values in one.labels.items()) or "none"
        yield f"| `{one.name}` | {one.kind} | {labels} | {one.unit or one.counted or '1'} | {one.help} |\n"


def main() -> None:
    FILE.write_text(page(), encoding="utf-8")
    print(f"{FILE.name}: {sum(len(declared) for _, declared in PARTS)} metrics")


if __name__ == "__main__":
    main()
