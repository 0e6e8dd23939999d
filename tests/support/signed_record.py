"""What table and floor signed of a record."""

import json
import subprocess
from collections.abc import Iterable, Sequence
from pathlib import Path

from controller.journal.chain import Entry
from controller.journal.journal import Journal
from controller.signing.audit import Audit, Verdict
from controller.signing.keys import Domain, Signer, Verifier
from controller.signing.receipts import Receipt

TABLE = "sic-bo-1"


def make_key(file: Path) -> Path:
    """A pair as docs/security.md says; returns the file of the public one."""
    public = file.with_name(f"{file.name}.pub")
    subprocess.run(["openssl", "genpkey", "-algorithm", "ed25519", "-out", file], check=True)
    subprocess.run(["openssl", "pkey", "-in", file, "-pubout", "-out", public], check=True)
    return public


class Keys:
    """The keys of a table and of its floor."""

    def __init__(self, folder: Path) -> None:
        self.table_file, self.floor_file = folder / "table.key", folder / "floor.key"
        self.table_public, self.floor_public = make_key(self.table_file), make_key(self.floor_file)
        self.table = Signer(self.table_file, Domain.HEAD)
        self.floor = Signer(self.floor_file, Domain.RECEIPT)
        self.of_table = Verifier(self.table_public, Domain.HEAD)
        self.of_floor = Verifier(self.floor_public, Domain.RECEIPT)

    def head(self, entries: Sequence[Entry], seq: int) -> Receipt:
        """What the table signs of a batch that ends with this entry."""
        of = (TABLE, entries[0].hash, seq, entries[seq - 1].hash)
        return Receipt(*of, head=self.table.sign(*of))

    def receipt(self, entries: Sequence[Entry], seq: int) -> Receipt:
        """The same with the floor's receipt."""
        of = (TABLE, entries[0].hash, seq, entries[seq - 1].hash)
        return self.head(entries, seq)._replace(receipt=self.floor.sign(*of))

    def audit(self, entries: Iterable[Entry], receipts: Iterable[Receipt], copy: Iterable[Entry] = ()) -> Verdict:
        """What an audit says; it never names an impossible range."""
        verdict = Audit(entries, receipts, self.of_floor, self.of_table, copy).run()
        if verdict.finding is not None:
            assert verdict.proven < verdict.finding.first <= verdict.finding.last or (
                verdict.finding.first == verdict.finding.last <= verdict.proven
            )
        return verdict


def some_entries(count: int) -> list[Entry]:
    """A record of so many entries, every third with a checkpoint."""
    journal = Journal(None)
    for seq in range(1, count + 1):
        body = json.dumps({"event": {"number": seq}}, separators=(",", ":"))
        journal.append(seq // 3, seq * 1_000, seq * 1_000_000_000, "press", body, "{}" if seq % 3 == 0 else None)
    entries = list(journal.entries())
    journal.close()
    return entries


def write_lines(file: Path, entries: Iterable[Entry]) -> Path:
    """Entries as the floor's database has them, one JSON object per line."""
    file.write_text("".join(f"{json.dumps(entry._asdict())}\n" for entry in entries))
    return file
