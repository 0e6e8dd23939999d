"""The signer beside a table: it follows what is played, has it witnessed, and names what was rewritten."""

import asyncio
import logging
import shutil
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from campaigns.signed_record import AT_S, SoftwareKey
from contracts.loop import PATIENCE_S
from played import Played
from signed_tables import changed_body, rewrite
from witness_server import ServedHere

from config.signing import WitnessOfTable
from controller.transparency.last_signed import last_signed_file, read_last_signed
from controller.transparency.note import SignedNote
from controller.transparency.notice import SignerNotice
from controller.transparency.signing_key import Signer
from controller.transparency.store import Checkpoints
from controller.transparency.witness import Witness, WitnessAnswer
from controller.witnessing import following
from controller.witnessing.client import WitnessClient
from controller.witnessing.following import TableSigner
from controller.witnessing.site import WitnessSite

SIGNER = Signer("table-controller/sic-bo", SoftwareKey(1))


class Casino:
    """A table, its signer's files, and a witness that listens."""

    def __init__(self, folder: Path) -> None:
        self.journal, self.file = folder / "table.journal", folder / "table.checkpoints"
        self.kept = Checkpoints(self.file)
        signer = Signer("witness.example", SoftwareKey(2), cosigns=True)
        self.witness = Witness(folder / "witness.db", signer, {"sic-bo": SIGNER.key})
        self.site = WitnessSite(self.witness, self, lambda: AT_S)
        self.server = ServedHere(self.site)
        self.alarms: list[str] = []
        self.statuses: list[str] = []

    def answered(self, answer: WitnessAnswer, seconds: int) -> None:
        self.alarms += [answer.alarm] if answer.alarm else []

    def noticed(self, table: str, notice: SignerNotice, seconds: int) -> None:
        self.alarms.append(f"notice: {notice.words}")

    def client(self) -> WitnessClient:
        return WitnessClient(WitnessOfTable(url=self.server.url, key=str(self.witness.key)))

    def signs(self, until: Callable[[], bool], meanwhile: Callable[[], Awaitable[None]] | None = None) -> None:
        """Run a signer until something is so."""

        async def run() -> None:
            signer = TableSigner(
                "sic-bo", lambda: self.journal, SIGNER, self.kept, self.file, [self.client()], self.statuses.append
            )
            task = asyncio.create_task(signer.run())
            async with asyncio.timeout(PATIENCE_S):
                if meanwhile is not None:
                    await meanwhile()
                while not until() and not task.done():
                    await asyncio.sleep(0.005)
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

        asyncio.run(run())
        assert until()

    def witnessed(self) -> int:
        """Up to which entry the witness has signed the record that was signed last."""
        sizes = [0]
        for origin in self.kept.origins()[-1:]:
            sizes += [one.size for one in self.kept.of(origin) if SignedNote.parse(one.note).has(self.witness.key)]
        return max(sizes)

    def signed(self) -> int:
        last = read_last_signed(last_signed_file(self.file))
        return last[-1].size if last else 0


@pytest.fixture
def casino(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Casino]:
    for name in ("POLL_S", "RETRY_S", "FIRST_WAIT_S", "LONGEST_WAIT_S"):
        monkeypatch.setattr(following, name, 0.01)
    made = Casino(tmp_path)
    made.server.__enter__()
    yield made
    made.server.__exit__(None, None, None)
    made.site.close()
    made.kept.close()
    made.witness.close()


def play(casino: Casino, rounds: int = 2) -> Played:
    return Played("sic-bo", casino.journal, rounds, fault_rate=0.0)


def opening(played: Played) -> int:
    last = played.journal.last_checkpoint()
    assert last is not None
    return last.seq


def test_it_signs_what_is_played_while_it_is_played(casino: Casino) -> None:
    played = play(casino)
    first = opening(played)
    casino.signs(lambda: casino.witnessed() == first)
    played.more(2, seed=2, fault_rate=0.0)
    second = opening(played)
    assert second > first
    casino.signs(lambda: casino.witnessed() == second == casino.signed())
    assert casino.statuses[-1] == f"signed up to entry {second}"
    assert casino.alarms == []
    played.finish()


def test_a_witness_that_is_away_holds_nothing_up(casino: Casino, caplog: pytest.LogCaptureFixture) -> None:
    played = play(casino)
    casino.server.__exit__(None, None, None)
    casino.signs(lambda: casino.signed() == opening(played) and "cannot be reached" in caplog.text)
    assert casino.witnessed() == 0
    casino.server = ServedHere(casino.site)
    casino.server.__enter__()
    casino.signs(lambda: casino.witnessed() == opening(played))
    played.finish()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (changed_body(9), "is not the one that was signed: the record was rewritten"),
        (lambda entries: entries[:-25], "they were signed: it was cut or rolled back"),
        (changed_body(1), "another record and does not say what it replaces: it was deleted or swapped"),
    ],
)
def test_a_rewritten_record_is_named_and_never_signed(
    casino: Casino, change: object, words: str, caplog: pytest.LogCaptureFixture
) -> None:
    played = play(casino)
    last = opening(played)
    played.finish()
    casino.signs(lambda: casino.witnessed() == last)
    before = [list(casino.kept.of(origin)) for origin in casino.kept.origins()]
    rewrite(casino.journal, change)  # type: ignore[arg-type]
    caplog.set_level(logging.CRITICAL)
    casino.signs(lambda: any(words in alarm for alarm in casino.alarms))
    assert words in caplog.text
    assert casino.statuses[-1].startswith("not signed: ")
    assert [list(casino.kept.of(origin)) for origin in casino.kept.origins()] == before
    assert casino.alarms[0].startswith("notice: ")


def test_a_journal_and_checkpoints_rolled_back_together_are_named_by_the_witness(
    casino: Casino, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    played = play(casino)
    first = opening(played)
    casino.signs(lambda: casino.witnessed() == first)
    played.finish()
    backup = tmp_path / "backup"
    backup.mkdir()
    casino.kept.close()
    saved = [file for file in tmp_path.iterdir() if file.name.startswith("table.")]
    for file in saved:
        shutil.copy(file, backup)
    casino.kept = Checkpoints(casino.file)
    again = Played("sic-bo", casino.journal, 2, seed=3, fault_rate=0.0)
    second = opening(again)
    casino.signs(lambda: casino.witnessed() == second)
    again.finish()
    casino.kept.close()
    for file in (file for file in tmp_path.iterdir() if file.name.startswith("table.")):
        file.unlink()
    for file in backup.iterdir():
        shutil.copy(file, tmp_path)
    casino.kept = Checkpoints(casino.file)
    casino.signs(lambda: bool(casino.alarms))
    assert (
        f"asks to sign its record up to entry {first}, and it was signed up to {second} before" in casino.alarms[0]
    )
