"""What the screens show while no table is running."""

from controller.viewmodel import documents

CLOSED: documents.Board = {
    "state": "closed",
    "tone": "closed",
    "headline": "TABLE IS CLOSED",
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
    "spins": 0,
    "figure": {},
}
"""The board."""


def idle(why: str, prompt: str = "") -> documents.DealerPart:
    """The dealer's screen, with the reason, and what the floorperson is asked for."""
    return {
        "next": why,
        "task": {"act": why, "more": [], "refused": ""},
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
