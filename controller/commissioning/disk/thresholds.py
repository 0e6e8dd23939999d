"""Where a disk begins to be slow, suspect or worn, each with its reason. Nothing else holds such a number."""

from typing import Final

SLOW_MS: Final = 50.0
"""A key waits for one commit, at the most for two. With less than this each, what it does is seen within the tenth
of a second that people take for at once."""
STALL_MS: Final = 250.0
"""The table waits for a commit, and so do the edges of its wheel: the kernel keeps 1,024 of a sensor head, which
4,000 a second fill in 256 ms. A longer stall may cost an honest spin; a dealer presses a second time."""
HALT_MS: Final = 10_000.0
"""Half of the 20 s after which systemd takes a table for hung and starts it again."""
STALLS_ALLOWED: Final = 1e-4
"""The part of the commits that may stall. A spin has some five while its wheel is fast, so that of 2,000 spins one
may be void for the disk."""
ENOUGH_COMMITS: Final = 1000
"""Of fewer, the slowest hundredth is less than ten commits, and its figure is chance."""
RATE_PER_S: Final = 200
"""Commits a second at which the trial writes: over a hundred times those of a busy table, so that a minute says
what hours do, and yet wears no disk."""

CARD_FLUSH_US: Final = 100.0
"""A card or stick that has programmed a page of flash needs longer: the page alone takes 200 µs and more, its way
over the bus another 50 µs."""
HARD_DISK_FLUSH_US: Final = 1000.0
"""A hard disk waits for its platter: half a turn at 15,000 a minute is 2,000 µs."""
MEMORY_RATIO: Final = 3.0
"""A write with a flush that takes less than this times one without has not left the computer's memory."""
COMPARED_WRITES: Final = 200
COMPARED_S: Final = 5.0
"""So many writes with and without a flush are compared, for no longer than this of each."""

FLASH_PAGE_BYTES: Final = 16_384
"""What a flash chip programs at the least for a flush, whatever it was given: a page of 16 KiB."""
ROUNDS_A_DAY: Final = 2880
"""Two rounds a minute, around the clock."""
SHORT_YEARS: Final = 1.0
"""A disk that does not outlast a year is worn out before anybody looks after it."""
LONG_YEARS: Final = 5.0
"""What a table is expected to run on one disk; ratings, too, hold for about so long."""
USUAL_TBW: Final = (
    (10.0, "a card or stick without a rating, 32 GB"),
    (60.0, "a card of high endurance, 32 GB"),
    (150.0, "an SSD, 250 GB"),
    (600.0, "an SSD, 1 TB"),
)
"""Terabytes that may be written, as makers usually rate them."""
LEAST_FREE_BYTES: Final = 32 * 2**20
"""Free space that a trial leaves alone, besides what it needs itself."""
