"""What the screens show while no table is running."""

from controller.viewmodel import documents
from controller.viewmodel.history import utc_offset_min
from controller.viewmodel.screen import SHUT


def closed_board(utc_ns: int) -> documents.Board:
    """The board: its clock goes on while the table is closed."""
    return {
        "utc_offset_min": utc_offset_min(utc_ns),
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


def closed_dealer(why: str, prompt: str = "") -> documents.DealerPart:
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
    }
