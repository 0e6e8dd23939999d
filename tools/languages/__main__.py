"""Brings the catalogue of every language up to date with the code, and writes what is made of it.

``python -m tools.languages``, which ``make docs`` runs, adds new messages to each ``table.po``, drops those that
are gone, and lists what is left to translate. With the code of a language, as ``fr``, it begins that one first.
From a ``table.po`` follow ``table.mo``, which Python reads, and ``words.es.js``, which the scripts of pages read.
"""

import json
import sys
from argparse import ArgumentParser
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from controller import __version__
from controller.language.language import DOMAIN, FOLDER
from tools.languages.messages import ROOT, key, problems, template, words

_SCRIPTS = Path("controller/screens/assets")
_HEAD = """// @ts-check
/** The messages of gettext's catalogue, for the scripts of the pages. Written by `make docs`. */

/** Which of its forms a message has for a number. @param {{number}} n */
export const form = (n) => Number({form});

/** @type {{Record<string, string | string[]>}} */
export const messages = {messages};
"""


def file_of(language: str, suffix: str = ".po") -> Path:
    """A language's catalogue."""
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}{suffix}"


def catalogues() -> list[str]:
    """The languages that have a catalogue, by their codes."""
    return sorted(file.parent.parent.name for file in FOLDER.glob(f"*/LC_MESSAGES/{DOMAIN}.po"))


def read(language: str) -> Catalog:
    """A language's catalogue."""
    with file_of(language).open("rb") as file:
        return read_po(file, locale=language, charset="utf-8")


def new(language: str) -> Catalog:
    """An empty catalogue."""
    return Catalog(
        locale=language,
        header_comment=f"# What players read in the language {language}; see docs/how-to/add-a-language.md.",
        project="table-controller",
        version=__version__,
        copyright_holder="the maintainers",
        msgid_bugs_address="the issues of the project",
        last_translator="the maintainers",
        language_team=language,
        revision_date=datetime.now(UTC),
        fuzzy=False,
    )


def updated(catalogue: Catalog, messages: Catalog) -> Catalog:
    """A catalogue with the messages of the code, in their order; what was translated stays."""
    catalogue.update(messages, no_fuzzy_matching=True, update_creation_date=False)
    return catalogue


def po_text(catalogue: Catalog) -> bytes:
    """A catalogue as gettext's text file."""
    out = BytesIO()
    write_po(out, catalogue, width=116, ignore_obsolete=True, include_lineno=False)
    return out.getvalue()


def compiled(language: str, catalogue: Catalog) -> Mapping[Path, bytes]:
    """What is made of a catalogue: each file by its place in the project, and its bytes."""
    out = BytesIO()
    write_mo(out, catalogue)
    said = {key(message): message.string for message in catalogue if message.id and all(words(message))}
    text = json.dumps(said, ensure_ascii=False, indent=2, sort_keys=True)
    script = _HEAD.format(form=catalogue.plural_expr, messages=text)
    return {
        file_of(language, ".mo").relative_to(ROOT): out.getvalue(),
        _SCRIPTS / f"words.{language}.js": script.encode(),
    }


def main(arguments: Sequence[str] | None = None) -> int:
    """Update every catalogue; 1 if something is left to translate."""
    parser = ArgumentParser(prog="python -m tools.languages", description=__doc__)
    parser.add_argument("language", nargs="?", help="the code of a language to begin, as fr")
    begins = parser.parse_args(arguments).language
    messages, left = template(), 0
    for language in sorted({*catalogues(), *([begins] if begins else [])}):
        exists = file_of(language).exists()
        catalogue = updated(read(language) if exists else new(language), messages)
        file_of(language).parent.mkdir(parents=True, exist_ok=True)
        file_of(language).write_bytes(po_text(catalogue))
        for place, data in compiled(language, catalogue).items():
            (ROOT / place).write_bytes(data)
        wrong = problems(catalogue, messages)
        left += len(wrong)
        print(*(f"{file_of(language)}: {words}" for words in wrong), sep="\n", end="\n" if wrong else "")
        print(f"{language}: {sum(1 for message in catalogue if message.id)} messages, {len(wrong)} left to do")
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main())
