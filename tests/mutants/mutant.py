"""A mutant: one place of the code, changed so that a clause no longer holds."""

from dataclasses import dataclass
from pathlib import Path


class NotApplicableError(Exception):
    """The code that a mutant changes is no longer there, or stands there more than once."""


@dataclass(frozen=True)
class Mutant:
    """What is changed, and what the table does then that the regulation does not allow.

    Attributes:
        name: as in ``mutants/clauses.yaml``; lower case, with hyphens.
        path: the file, from the project's root.
        old: text that stands exactly once in the file.
        new: the text in its place.
        breaks: what the table then does wrong.
    """

    name: str
    path: str
    old: str
    new: str
    breaks: str

    def of(self, text: str) -> str:
        """The file's text, mutated.

        Raises:
            NotApplicableError: the old text does not stand exactly once in it.
        """
        places = text.count(self.old)
        if places != 1:
            raise NotApplicableError(f"{self.name}: {places} places in {self.path} read {self.old!r}: it needs one")
        return text.replace(self.old, self.new)

    def apply(self, root: Path) -> None:
        """Mutate the file in a copy of the project."""
        file = root / self.path
        file.write_text(self.of(file.read_text(encoding="utf-8")), encoding="utf-8")
