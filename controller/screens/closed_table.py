"""What the screens show while no table is running."""

from controller.viewmodel import documents
from controller.viewmodel.history import utc_offset_min
from controller.viewmodel.screen import SHUT

_CLOSED: documents.Board = {
    "utc_offset_min": 0,
    "state": "closed",
    "tone": "closed",
    "headline": SHUT,
    "detail": "",
    "round": 0,
    "lit": [],
    "wins": [],
    "result": "",
    "multiplier": 1,
    "revolutions": None,
    "turn": None,
    "limits": None,
    "history": [],
    "counts": [],
    "shares": [],
    "frequent": [],
    "longest_ago": [],
    "spins": 0,
    "figure": {},
}


def closed_board(now_ns: int, utc_ns: int) -> documents.StampedBoard:
    """The board, with the time: its clock goes on while the table is closed.

    Args:
        now_ns: on the monotonic clock.
    """
    return {
        **_CLOSED,
        "headline": SHUT,
        "clock_ms": now_ns // 1_000_000,
        "utc_ms": utc_ns // 1_000_000,
        "utc_offset_min": utc_offset_min(utc_ns),
    }


def idle(why: str, prompt: str = "") -> documents.DealerPart:
    """The dealer's screen, with the reason, and what the floorperson is asked for."""
    return {
        "next": why,
        "task": {"act": why, "more": []},
        "menu": [],
        "alerts": [{"text": why, "remedy": "", "age_s": 0}],
        "limits": {"asks": "", "announce": "", "file": ""},
        "pays": [],
        "paid": [],
        "health": [],
        "ages": [],
        "prompt": prompt,
        "entry": "",
        "keyed": None,
        "refused": "",
        "dealer": "",
        "floor": None,
    }
