"""The documents in the folder of updates, as they are checked. Loaded where there is such a folder alone."""

from typing import Annotated

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from controller.updating.folder import InstallState

_LONGEST = 600
"""Characters of a text."""


def _line(value: object) -> object:
    """A text as one line, not too long: what stands in a foreign bundle is not trusted to be one."""
    if not isinstance(value, str):
        return value
    words = " ".join("".join(each if each.isprintable() else " " for each in value).split())
    return words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"


_Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
_Line = Annotated[str, BeforeValidator(_line)]


class UpdateDocument(BaseModel):
    """A document; what else stands in it is left alone."""

    model_config = ConfigDict(strict=True, frozen=True, defer_build=True)


class OfferDocument(UpdateDocument):
    """What is offered."""

    version: _Line
    digest: _Digest | Annotated[str, Field(max_length=0)]
    source: Annotated[_Line, Field(alias="from")]
    problem: _Line = ""


class ConfirmedDocument(UpdateDocument):
    """What the table has confirmed."""

    digest: _Digest


class ProgressDocument(UpdateDocument):
    """How far the installation is."""

    digest: _Digest
    state: Annotated[InstallState, Field(strict=False)]
    percent: Annotated[int, Field(ge=0, le=100)] = 0
    why: _Line = ""


class RunningDocument(UpdateDocument):
    """What runs."""

    version: _Line
    slot: _Line
    digest: _Digest | Annotated[str, Field(max_length=0)] = ""
