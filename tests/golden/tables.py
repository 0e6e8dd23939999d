"""The tables whose journals are kept: the shipped ones, with what else a table may have."""

from controller.configuration.shipped import shipped_tables

LIMITS = """\
limits:
  minimum: 5
  maximum: 500
  currency: $
"""
LIMITS_WITH_PAYOUT = LIMITS.replace("  currency", "  payout: 25000\n  currency")
CREDENTIALS = """\
credentials:
  file: /etc/table-controller/credentials.json
  session_s: 60
"""
LOG_ON = """\
  buttons:
    backend: mock
    options: {}
    pins:
      log-on: 4
"""
KEYBOARD = """\
  keyboard:
    backend: mock
    options: {}
    codes:
""" + "".join(f"      {key}: KEY_KP{key.upper()}\n" for key in (*"0123456789", "enter"))
SESSION_S = 60
"""As in :data:`CREDENTIALS`."""
Change = tuple[str, str]
"""A text of the shipped file, and its replacement."""


def _posted_here(limits: str) -> Change:
    return "limits:\n  posted: elsewhere\n", limits


def _device(section: str) -> Change:
    return "devices:\n", "devices:\n" + section


_SESSION = ("  file: /etc/table-controller/credentials.json\n", CREDENTIALS.partition("\n")[2])
_FINER = "counts_per_turn: 1440\n  index_offset_counts: 7\n"
_CHANGES: dict[str, tuple[Change, ...]] = {
    "dreamcatcher": (
        (_FINER, "counts_per_turn: 720\n  index_offset_counts: 3\n  serial: DC-0001\n"),
        _posted_here(LIMITS),
        _SESSION,
    ),
    "big-six": (
        (_FINER, "counts_per_turn: 720\n  index_offset_counts: 3\n"),
        (CREDENTIALS.partition("  session")[0], "credentials: none\n"),
    ),
    "sic-bo": (_SESSION, _posted_here(LIMITS), _device(LOG_ON)),
    "three-dice-football": (_SESSION,),
    "roulette": (
        _SESSION,
        ("counts_per_turn: 400\n", "counts_per_turn: 100\n  serial: RW-0001\n"),
        ("wheel: double-zero\n", "wheel: double-zero-as-single\n  five_adjacent: true\n"),
        ("      straight-00: 1\n", ""),
        _posted_here(LIMITS),
        _device(LOG_ON),
    ),
    "casino-war": (
        _SESSION,
        ("decks: 6\n", "decks: 12\n  shuffler: true\n"),
        _posted_here(LIMITS_WITH_PAYOUT),
    ),
}


GAMES = sorted(_CHANGES)


def table_text(game: str) -> str:
    """The configuration of a game's table, without comments.

    Raises:
        ValueError: the shipped file no longer says what is to be changed in it.
    """
    lines = shipped_tables()[game].read_text(encoding="utf-8").splitlines()
    bare = (line.partition(" #")[0].rstrip() for line in lines if not line.lstrip().startswith("#"))
    text = "".join(f"{line}\n" for line in bare if line)
    for old, new in _CHANGES[game]:
        if old not in text:
            raise ValueError(f"config/tables/{game}.yaml no longer says {old!r}; correct tests/golden/tables.py")
        text = text.replace(old, new, 1)
    return text
