"""The signer: follows the table's journal, signs it, and has the newest checkpoint witnessed and stamped.

The table does not know of it. What cannot be done now, as a witness that is away, is tried again; meanwhile the
signer signs on, and the next checkpoint that a witness signs covers all before.
"""

import asyncio
import logging
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path

from controller.events.event import TableStarted
from controller.journal.errors import JournalError
from controller.journal.journal import Journal
from controller.journal.record import of_entry
from controller.transparency.checkpoint import Checkpoint
from controller.transparency.last_signed import (
    LastSigned,
    contradiction,
    keep_last_signed,
    last_signed_file,
    read_last_signed,
)
from controller.transparency.leaves import origin_of
from controller.transparency.note import Signature, SignedNote
from controller.transparency.notice import SignerNotice
from controller.transparency.signing import RewrittenError, SignedJournal, extension_proof
from controller.transparency.signing_key import Signer
from controller.transparency.store import Checkpoints, CheckpointsError
from controller.witnessing.client import WitnessAheadError, WitnessClient, WitnessRefusedError

log = logging.getLogger("sign")

POLL_S = 0.5
"""How often the journal is looked at."""
RETRY_S = 5.0
"""How long until a journal that cannot be signed is tried again."""
FIRST_WAIT_S, LONGEST_WAIT_S = 1.0, 60.0
"""How long until a witness is asked again that was away; the time doubles."""


class TableSigner:
    """Signs one table's record, for as long as it runs. Use it inside one event loop.

    Args:
        table: its name.
        in_use: gives the path of the journal that has the whole record.
        signer: the table's key.
        kept: the checkpoints, in ``file``.
        status: is told how far the record is signed, in words.
    """

    def __init__(
        self,
        table: str,
        in_use: Callable[[], Path],
        signer: Signer,
        kept: Checkpoints,
        file: Path,
        witnesses: Iterable[WitnessClient] = (),
        status: Callable[[str], None] = lambda words: None,
    ) -> None:
        self._table, self._in_use, self._signer, self._kept = table, in_use, signer, kept
        self._last_file = last_signed_file(file)
        self._witnesses, self._status = tuple(witnesses), status
        self.journal: SignedJournal | None = None
        self._signed = asyncio.Condition()
        self._problem = ""

    async def run(self) -> None:
        """Sign until cancelled.

        Raises:
            CheckpointsError: the checkpoints cannot be written; nothing more is signed.
        """
        asking = [asyncio.create_task(self._have_witnessed(witness)) for witness in self._witnesses]
        following = asyncio.create_task(self._follow())
        try:
            done, _ = await asyncio.wait((following, *asking), return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()  # None ends by itself, but by an error.
        finally:
            for task in (following, *asking):
                task.cancel()
            await asyncio.gather(following, *asking, return_exceptions=True)
            self._close()

    def newest(self) -> Checkpoint | None:
        """The newest checkpoint, while the journal can be signed."""
        return self.journal.checkpoint if self.journal is not None else None

    # -- the journal -----------------------------------------------------------------------------------------

    async def _follow(self) -> None:
        while True:
            try:
                more = await self.step()
            except RewrittenError as error:
                await self._name(str(error), error.origin)
            except JournalError as error:
                self._say(str(error))
                self._close()
                await asyncio.sleep(RETRY_S)
            else:
                await asyncio.sleep(0 if more else POLL_S)

    async def step(self) -> bool:
        """Sign the next entries; returns whether there may be more.

        Raises:
            RewrittenError: the journal contradicts what was signed.
            JournalError: it cannot be read, or is damaged.
            CheckpointsError: the checkpoints cannot be written.
        """
        if self.journal is not None and (self.journal.replaced() or self._in_use() != self.journal.file):
            self._close()
        before = self.newest()
        if self.journal is None and not self._open():
            return False
        assert self.journal is not None
        self.journal.check()
        more = self.journal.follow()
        if self.journal.checkpoint is not before:
            self._keep_last(self.journal)
            async with self._signed:
                self._signed.notify_all()
        if not more and self._problem != "":
            log.info("the record is signed again")
            self._problem = ""
        return more

    def _open(self) -> bool:
        file = self._in_use()
        if not file.is_file():
            return False
        journal = Journal(file, read_only=True)
        try:
            first = next(journal.entries(), None)
            if first is None:
                return False
            event = of_entry(first).event
            replaces = event.replaces if isinstance(event, TableStarted) else ""
            # How it continues what was signed is compared when it is opened; here, that it is no other record.
            other = [
                one for one in read_last_signed(self._last_file) if one.origin != origin_of(self._table, first.hash)
            ]
            of_own = self._kept.last(origin_of(self._table, first.hash)) is not None
            if not of_own and (wrong := contradiction(journal, self._table, other, replaces)):
                raise RewrittenError(other[-1].origin, f"{file}: {wrong}")
        finally:
            journal.close()
        self.journal = SignedJournal(file, self._table, self._signer, self._kept)
        return True

    def _keep_last(self, journal: SignedJournal) -> None:
        if journal.checkpoint is None:
            return
        new = LastSigned(journal.origin, journal.checkpoint.size, journal.signed_hash)
        known = [one for one in read_last_signed(self._last_file) if one.origin != new.origin]
        try:
            keep_last_signed(self._last_file, [*known, new])
        except OSError as error:
            raise CheckpointsError(f"{self._last_file}: it cannot be written: {error.strerror}") from error
        if not self._problem:
            self._status(f"signed up to entry {new.size}")

    async def _name(self, words: str, origin: str) -> None:
        """A rewritten record: in the log, in the status, and at each witness that listens."""
        self._close()
        self._status(f"not signed: {words}")
        if words != self._problem:
            log.critical("nothing is signed any more: %s", words)
            notice = SignerNotice.make(origin, words, self._signer)
            for witness in self._witnesses:
                try:
                    await witness.notify(notice)
                except WitnessRefusedError as error:
                    log.warning("%s", error)
        self._problem = words
        await asyncio.sleep(RETRY_S)

    def _say(self, words: str) -> None:
        if words != self._problem:
            log.error("%s; it is tried again every %.0f s", words, RETRY_S)
            self._problem = words
            self._status(f"not signed: {words}")

    def _close(self) -> None:
        if self.journal is not None:
            self.journal.close()
            self.journal = None

    # -- witnesses -------------------------------------------------------------------------------------------

    async def _have_witnessed(self, witness: WitnessClient) -> None:
        """Have a witness sign the newest checkpoint, whenever there is a new one."""
        wait_s, last = FIRST_WAIT_S, ""
        while True:
            try:
                if not await self.witness_newest(witness):  # Else there may be a newer one by now.
                    await self._newer()
                wait_s, last = FIRST_WAIT_S, ""
            except WitnessAheadError as error:
                last = _logged(logging.CRITICAL, str(error), last)
                self._status(f"not witnessed: {error}")
                await asyncio.sleep(LONGEST_WAIT_S)
            except WitnessRefusedError as error:
                last = _logged(logging.WARNING, f"{error}; the record is signed, and it is asked again", last)
                await asyncio.sleep(wait_s)
                wait_s = min(LONGEST_WAIT_S, 2 * wait_s)

    async def _newer(self) -> None:
        async with self._signed:
            await self._signed.wait()

    async def witness_newest(self, witness: WitnessClient) -> bool:
        """Have a witness sign the newest checkpoint; returns whether it had to be asked.

        Raises:
            WitnessRefusedError: it cannot be reached, or does not sign.
        """
        journal = self.journal
        if journal is None or journal.checkpoint is None or journal.note is None:
            return False
        checkpoint = journal.checkpoint
        if witness.signed(
            checkpoint
        ):  # In this run: after a start it is asked again, and says if it has signed more.
            return False
        signature = await witness.ask(checkpoint, journal.note, partial(extension_proof, self._kept, checkpoint))
        self._add(checkpoint.origin, checkpoint.size, signature)
        return True

    def _add(self, origin: str, size: int, signature: Signature) -> None:
        """Another witness may have signed it meanwhile: what is kept now counts."""
        kept = self._kept.at(origin, size)
        if kept is not None:
            note = SignedNote.parse(kept.note)
            if any((one.name, one.id) == (signature.name, signature.id) for one in note.signatures):
                return
            added = SignedNote(note.text, (*note.signatures, signature))
            self._kept.add_signatures(origin, size, str(added))


def _logged(level: int, words: str, last: str) -> str:
    if words != last:
        log.log(level, "%s", words)
    return words
