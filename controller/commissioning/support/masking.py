"""Takes out of a text what opens something: private keys, passwords in addresses, what is named as a secret. Pure.

Nothing that this software writes has any of it. People write into files and logs what does not belong there.
"""

import re

MASK = "[taken out]"
_KEY_BLOCK = re.compile(r"-----BEGIN ([A-Z0-9 ]*PRIVATE KEY)-----.*?(?:-----END \1-----|\Z)", re.DOTALL)
_IN_ADDRESS = re.compile(r"(?<=://)[^/\s@'\"]+(?=@)")
_HASH = re.compile(r"\$(?:scrypt|argon2[a-z]*|2[aby]|y|5|6)\$[^\s\"']+")
_WORDS = r"(?:pass(?:word|phrase|wd)?|secret|token|psk|api[_-]?key)"
_NAMED = re.compile(
    rf"(\b(?:\w+[_-])?{_WORDS}[\"']?\s*[:=]\s*)(?:\"[^\"\n]*\"|'[^'\n]*'|[^\s,}}\]]+)", re.IGNORECASE
)
_PIN = re.compile(r"(\bpin\b[^\d\n]{0,12})\d{4,12}\b", re.IGNORECASE)
"""A GPIO pin has two digits."""


def masked(text: str) -> str:
    """A text without secrets."""
    for pattern in (_KEY_BLOCK, _IN_ADDRESS, _HASH):
        text = pattern.sub(MASK, text)
    for pattern in (_NAMED, _PIN):
        text = pattern.sub(rf"\g<1>{MASK}", text)
    return text
