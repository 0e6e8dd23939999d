"""The errors of a journal."""

from controller.errors import UserError


class JournalError(UserError):
    """The journal cannot be opened or written; the message says where and what to do."""


class JournalUnwritableError(JournalError):
    """The disk cannot be written for now: it is full, read-only or broken."""


class JournalDamagedError(JournalError):
    """The journal's content was changed, or is not valid for this software."""


class JournalOfOtherVersionError(JournalError):
    """Another version wrote the journal, and this one cannot continue it. It is not damaged."""


class JournalMovedError(JournalError):
    """The file of an open journal was deleted, renamed or replaced: what is written to it, nobody finds later."""


class JournalInUseError(JournalError):
    """Another process writes the journal."""


class JournalMirrorError(JournalError):
    """The mirror has, or may have, what the journal has not: a person decides which one counts."""
