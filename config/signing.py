"""The sections of a table's file and of a witness's on signed records: keys, witnesses, timestamps."""

import base64
import binascii
import hashlib
from decimal import Decimal
from ipaddress import ip_address
from typing import Annotated

from pydantic import AfterValidator, Field, WithJsonSchema

from config.fields import File, Name, Text, Url
from config.scalars import Quantity, Whole
from config.section import Section

_FOLDER = "/var/lib/table-controller-sign"
_KEY_FORM = r"^[^\s+]{1,200}\+[0-9a-f]{8}\+[A-Za-z0-9+/]{44}$"
_OF_TABLE, _OF_WITNESS = 1, 4


def _verifier_key(text: str, kind: int, whose: str) -> str:
    """A public key as C2SP signed-note writes it; its number shows whether it was copied rightly."""
    name, digits, encoded = text.split("+", 2)
    try:
        data = base64.b64decode(encoded, validate=True)
    except (binascii.Error, ValueError):
        data = b""
    if len(data) != 33 or data[0] != kind:
        raise ValueError(f"is no key of a {whose}: print it with {_PRINTED[whose]}")
    if hashlib.sha256(name.encode() + b"\n" + data).hexdigest()[:8] != digits:
        raise ValueError("was not copied as it is: its number does not match; copy the whole line again")
    return text


_PRINTED = {"table": "table-controller sign --show-key FILE", "witness": "table-controller witness --show-key FILE"}


def _of_table(text: str) -> str:
    return _verifier_key(text, _OF_TABLE, "table")


def _of_witness(text: str) -> str:
    return _verifier_key(text, _OF_WITNESS, "witness")


def _http(url: str) -> str:
    if not url.startswith(("http://", "https://")) or any(character.isspace() for character in url):
        raise ValueError("is no address of HTTP: write http://HOST:PORT or https://HOST")
    return url.rstrip("/")


def _address(address: str) -> str:
    try:
        ip_address(address)
    except ValueError:
        raise ValueError("give a numeric address, such as 192.168.7.2") from None
    return address


_AS_KEY = WithJsonSchema({"type": "string", "pattern": _KEY_FORM})
_WRITTEN_KEY = Field(pattern=_KEY_FORM, max_length=300)
TableKey = Annotated[str, _WRITTEN_KEY, AfterValidator(_of_table), _AS_KEY]
WitnessKey = Annotated[str, _WRITTEN_KEY, AfterValidator(_of_witness), _AS_KEY]
HttpUrl = Annotated[Url, AfterValidator(_http), WithJsonSchema({"type": "string", "pattern": "^https?://"})]
NumericAddress = Annotated[Text, AfterValidator(_address)]


class WitnessOfTable(Section):
    """A witness that is asked to sign the table's checkpoints."""

    url: HttpUrl = Field(description="where it is asked, without add-checkpoint: http://floor.example:8090")
    key: WitnessKey = Field(description="its public key, NAME+ID+BASE64")


class TimestampSection(Section):
    """An authority that stamps the newest checkpoint with the time (RFC 3161)."""

    url: HttpUrl = Field(description="where it is asked, for example https://tsa.example/tsr")
    certificate: File = Field(
        description="the file of the certificate that its answers' must be signed with in the end, PEM"
    )
    every_h: Quantity = Field(Decimal(24), ge=1, le=168, description="how often it is asked, in hours")


class SigningSection(Section):
    """The table's record is signed, and witnesses are asked to sign it, by a process of its own."""

    key: File = Field(f"{_FOLDER}/table.key", description="the file of the table's private key, Ed25519, PEM")
    checkpoints: File = Field(
        f"{_FOLDER}/table.checkpoints", description="the file in which what was signed is kept; the signer's own"
    )
    witnesses: list[WitnessOfTable] = Field(
        default_factory=list, max_length=8, description="those who are asked to sign what extends the record"
    )
    timestamp: TimestampSection | None = Field(None, description="leave it out for no timestamps")


class WitnessSection(Section):
    """A witness: it signs what extends the records that it has signed before, and keeps nothing else of them."""

    address: NumericAddress = Field("127.0.0.1", description="where tables ask: one of this computer's addresses")
    port: Whole = Field(8090, ge=1, le=65_535, description="the port at which tables ask")
    key: File = Field(
        "/var/lib/table-controller-floor/witness.key", description="the file of its private key, Ed25519, PEM"
    )
    file: File = Field(
        "/var/lib/table-controller-floor/witness.db", description="what it has signed last of each record"
    )
    tables: dict[Name, TableKey] = Field(
        min_length=1, max_length=10_000, description="the public keys of its tables, NAME+ID+BASE64, by table"
    )


class WitnessConfig(WitnessSection):
    """A witness of its own, as the regulator's."""

    name: Text = Field(description="the name in its signatures, for example witness.regulator.example")
    key: File = Field(
        "/var/lib/table-controller-witness/witness.key", description="the file of its private key, Ed25519, PEM"
    )
    file: File = Field(
        "/var/lib/table-controller-witness/witness.db", description="what it has signed last of each record"
    )
