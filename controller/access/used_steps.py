"""Which step of each account's second factor was used last, on disk: a code works once, also after a restart.

Beside the file of the accounts, for its owner alone: a JSON object of steps by name. Every process that lets people
log on with these accounts uses the same one.
"""

import fcntl
import os
from collections.abc import Container, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from controller.access.whole_file import write_whole

_STEPS = TypeAdapter(dict[str, int])


class UsedStepsError(Exception):
    """What was used cannot be read or kept; the message names the file and the remedy."""


class UsedSteps:
    """The steps that were used.

    Args:
        accounts: the file of the accounts.
    """

    def __init__(self, accounts: Path) -> None:
        self._file = accounts.with_name(f"{accounts.name}.used")

    def last(self, name: str) -> int:
        """The last step of an account that was used; -1 for none.

        Raises:
            UsedStepsError: that cannot be read.
        """
        return self._read().get(name, -1)

    def use(self, name: str, step: int, names: Container[str]) -> bool:
        """Use a step up; returns whether it was still good. It is on disk when this returns.

        Args:
            names: of all accounts; of others nothing is kept.

        Raises:
            UsedStepsError: it cannot be kept, and so must not be taken.
        """
        with self._alone():
            used = self._read()
            if step <= used.get(name, -1):
                return False
            kept = {one: last for one, last in used.items() if one in names} | {name: step}
            try:
                write_whole(self._file, _STEPS.dump_json(dict(sorted(kept.items()))).decode() + "\n", 0o600)
            except OSError as error:
                raise self._failed("written", error) from error
        return True

    def _read(self) -> dict[str, int]:
        try:
            return _STEPS.validate_json(self._file.read_bytes())
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise self._failed("read", error) from error
        except ValidationError:
            raise UsedStepsError(f"{self._file}: it is damaged; wait for a minute, then remove it") from None

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """While no other process uses a step."""
        try:
            folder = os.open(self._file.parent, os.O_RDONLY | os.O_DIRECTORY)
        except OSError as error:
            raise self._failed("written", error) from error
        try:
            fcntl.flock(folder, fcntl.LOCK_EX)
            yield
        finally:
            os.close(folder)

    def _failed(self, how: str, error: OSError) -> UsedStepsError:
        return UsedStepsError(
            f"{self._file}: cannot be {how}: {error.strerror}; let the accounts' owner write beside them, or used "
            "codes would work again"
        )
