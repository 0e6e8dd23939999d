"""Has the newest checkpoint stamped by a timestamp authority (RFC 3161), once a day."""

import asyncio
import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from config.signing import TimestampSection
from controller.journal.chain import utc_text
from controller.transparency.checkpoint import Checkpoint
from controller.transparency.note import NoteError
from controller.transparency.store import Checkpoints, KeptTimestamp
from controller.transparency.timestamps import REQUEST_TYPE, TimestampAuthority, timestamp_request
from controller.witnessing.client import WitnessRefusedError, post

log = logging.getLogger("sign")

LOOK_S = 60.0
"""How often it is looked whether a timestamp is due, and how soon an authority that was away is asked again."""

NewestCheckpoint = Callable[[], Checkpoint | None]


class Stamper:
    """Asks an authority.

    Args:
        newest: gives the newest checkpoint.

    Raises:
        NoteError: the authority's certificate cannot be read.
    """

    def __init__(self, section: TimestampSection, kept: Checkpoints, newest: NewestCheckpoint) -> None:
        self._section, self._kept, self._newest = section, kept, newest
        self._authority = TimestampAuthority(Path(section.certificate))

    async def run(self) -> None:
        """Have checkpoints stamped until cancelled.

        Raises:
            CheckpointsError: a timestamp cannot be kept.
        """
        last = ""
        while True:
            try:
                await self.stamp_if_due(time.time())
                last = ""
            except (WitnessRefusedError, NoteError) as error:
                if str(error) != last:
                    log.warning("no timestamp: %s; it is asked again every %.0f s", error, LOOK_S)
                last = str(error)
            await asyncio.sleep(LOOK_S)

    async def stamp_if_due(self, now_s: float) -> bool:
        """Have the newest checkpoint stamped if the last timestamp is old enough; returns whether it was.

        Raises:
            WitnessRefusedError: the authority cannot be reached.
            NoteError: its answer is no timestamp of this checkpoint by this authority.
        """
        checkpoint = self._newest()
        if checkpoint is None or not self._is_due(checkpoint, now_s):
            return False
        text = checkpoint.text()
        who = "the timestamp authority"
        status, response = await post(self._section.url, "", timestamp_request(text), REQUEST_TYPE, who)
        if status != 200:
            raise WitnessRefusedError(f"{who} answers with HTTP status {status}")
        at = self._authority.verified(response, text)
        utc = utc_text(int(now_s * 1e9))
        self._kept.keep_timestamp(KeptTimestamp(checkpoint.origin, checkpoint.size, utc, response))
        log.info("entry %d is stamped: %s", checkpoint.size, at.isoformat())
        return True

    def _is_due(self, checkpoint: Checkpoint, now_s: float) -> bool:
        last = self._kept.last_timestamp(checkpoint.origin)
        if last is None:
            return True
        if last.size == checkpoint.size:
            return False
        age_s = now_s - datetime.fromisoformat(last.utc).astimezone(UTC).timestamp()
        return not 0 <= age_s < float(self._section.every_h) * 3600  # A clock that was set back must not stop it.
