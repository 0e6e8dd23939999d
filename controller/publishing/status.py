"""How far a table has published to the floor, and what prevented it: the output of ``publish --status``."""

from contextlib import closing
from dataclasses import asdict, dataclass
from pathlib import Path

from controller.journal.journal import Journal
from controller.publishing.cursor import Cursor, Published, PublishingTrouble


@dataclass(frozen=True, slots=True)
class Status:
    """How far a table has published.

    Attributes:
        entries: of the journal.
        published: how far; None if nothing was published, or only from another journal.
        failures: what prevented publishing, the latest first.
    """

    entries: int
    published: Published | None
    failures: tuple[PublishingTrouble, ...]


def status(journal: Path, cursor: Path) -> Status:
    """Read a table's journal and its publisher's cursor, whether they are in use or not.

    Raises:
        JournalError: the journal cannot be read.
        CursorError: there is no cursor, or it cannot be read.
    """
    with (
        closing(Journal(journal, read_only=True)) as opened,
        closing(Cursor(cursor, read_only=True)) as cursor_file,
    ):
        first, published = opened.entry(1), cursor_file.published()
        same = published is not None and first is not None and published.record == first.hash
        return Status(len(opened), published if same else None, tuple(cursor_file.failures()))


def plain(status: Status) -> dict[str, object]:
    """As plain data for JSON."""
    plain = asdict(status)
    return {"entries": plain["entries"], "told": plain["published"], "troubles": plain["failures"]}


def words(status: Status) -> str:
    """As text, a line each."""
    closed = status.published.closed if status.published is not None else 0
    lines = [f"the journal has {status.entries} entries; its rounds are published up to entry {closed}"]
    for trouble in status.failures:
        times = "once" if trouble.count == 1 else f"{trouble.count} times, first {trouble.first}"
        lines.append(f"{trouble.last}  {trouble.what} ({times})")
    return "\n".join(lines)
