"""What can be wrong with a journal."""


class JournalError(Exception):
    """The journal cannot be opened or written; the message says where and what to do."""


class JournalUnwritableError(JournalError):
    """The disk takes nothing more for now: it is full, read-only or broken."""


class JournalDamagedError(JournalError):
    """What the journal holds is not what was written to it, or does not make sense to this software."""


class JournalOfOtherVersionError(JournalError):
    """Another version wrote the journal, and this one cannot go on from it. It is not damaged."""
