"""Which table is offered which update, and what each has made of it. Pure: no clock, no file, no connection.

A floor's file names the tables, and those that come first: the others are offered a bundle once it runs on all of
the first ones.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from config.floor import UpdatesSection
from controller.floor.updates.bundle_folder import FoundBundle
from controller.messages.update_models import UpdateOffer, VersionMessage

MOST_TABLES = 10_000
NOTHING = UpdateOffer(digest="")
INSTALLED = "installed"


@dataclass(slots=True)
class TableUpdate:
    """A table, as far as updates go.

    Attributes:
        report: the last one; None while it has sent none.
        sent: what it was sent last on this connection; None for nothing.
    """

    online: bool = False
    report: VersionMessage | None = None
    sent: UpdateOffer | None = None


class UpdateOffers:
    """The offers to all tables.

    Args:
        section: of the floor's file; None for a floor that offers nothing, and takes back what it has offered.
    """

    def __init__(self, section: UpdatesSection | None) -> None:
        self._section = section
        self._tables: dict[str, TableUpdate] = {}
        self.found = FoundBundle()
        """What is in the folder."""

    def connected(self) -> None:
        """The connection is another one: the broker may have lost what was retained."""
        for one in self._tables.values():
            one.sent = None

    def note_online(self, table: str, online: bool) -> None:
        """A table has come or gone."""
        if (one := self._table(table)) is not None:
            one.online = online

    def note_report(self, report: VersionMessage) -> None:
        """A table says what runs, and what it has made of its offer."""
        if (one := self._table(report.table)) is not None:
            one.report = report

    def due(self) -> Iterator[tuple[str, UpdateOffer]]:
        """What is to be sent; it counts as sent once :meth:`sent` is called."""
        for name, one in self._tables.items():
            offer = self.offered_to(name)
            concerns = self._section is not None or (one.report is not None and one.report.digest)
            if one.online and concerns and offer != one.sent:
                yield name, offer

    def sent(self, table: str, offer: UpdateOffer) -> None:
        """It has reached the broker."""
        self._tables[table].sent = offer

    def offered_to(self, table: str) -> UpdateOffer:
        """What a table is offered now; without a digest for nothing."""
        if not self.found.digest or self.why_not(table):
            return NOTHING
        return UpdateOffer(digest=self.found.digest, release=self.found.release, size=self.found.size)

    def why_not(self, table: str) -> str:
        """Why a table is not offered what is in the folder, as text; empty if it is."""
        section = self._section
        if section is None:
            return "the floor's file has no `updates:`"
        if table in section.first:
            return ""
        if section.tables is not None and table not in section.tables:
            return "not among `tables:` of the floor's file"
        waiting = [name for name in section.first if not self._runs_it(name)]
        return f"waits until it runs on {', '.join(waiting)[:200]}" if waiting else ""

    def tables(self) -> Iterator[tuple[str, TableUpdate]]:
        """All tables that were heard of or are named in the floor's file, by name."""
        section = self._section
        named = {*section.first, *(section.tables or ())} if section is not None else set()
        for name in sorted(named | self._tables.keys()):
            yield name, self._tables.get(name) or TableUpdate()

    def _runs_it(self, table: str) -> bool:
        one = self._tables.get(table)
        report = one.report if one is not None else None
        return report is not None and (report.digest, report.stage) == (self.found.digest, INSTALLED)

    def _table(self, name: str) -> TableUpdate | None:
        if name not in self._tables and len(self._tables) >= MOST_TABLES:
            return None
        return self._tables.setdefault(name, TableUpdate())
