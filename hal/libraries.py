"""Which extra installs an optional library, and the message for a missing one.

The command line and the backends use it for every ``ModuleNotFoundError``.
"""

from hal.errors import LibraryMissingError

PROJECT = "table-controller"
EXTRAS = {
    "gpiod": ("pi",),
    "RPi": ("pi",),
    "spidev": ("pi",),
    "evdev": ("pi",),
    "pymodbus": ("pi",),
    "aiomqtt": ("pi", "floor"),
    "paho": ("pi", "floor"),
    "cryptography": ("pi", "floor"),
    "sqlalchemy": ("floor",),
    "psycopg": ("floor",),
    "alembic": ("floor",),
    "pygal": ("floor",),
}
"""The extras of setup.py that bring a library, by the name it is imported by; the first is recommended."""
OF_EVERY_TABLE = (
    *("pydantic", "pydantic_core", "annotated_types", "typing_extensions", "typing_inspection"),
    *("yaml", "transitions", "six", "gpiozero", "colorzero", "serial", "vcd", "h11", "numpy", "prometheus_client"),
    *("starlette", "uvicorn", "anyio", "click", "idna"),
)
"""The project's own dependencies: they are missing only from a damaged installation."""
_ELSEWHERE = {"lgpio": "lgpio"}
"""Libraries that no extra installs, with their names for pip."""


def missing(who: str, error: ModuleNotFoundError) -> LibraryMissingError | None:
    """The error for an import that failed: the library, and the command that installs it.

    Args:
        who: what needs it, as text. A command with an extra of its own name, such as ``floor``, gets that extra.

    Returns:
        None if the missing module is none of these libraries: that is a defect.
    """
    library = (error.name or "").partition(".")[0]
    if library not in (*EXTRAS, *OF_EVERY_TABLE, *_ELSEWHERE):
        return None
    extras = EXTRAS.get(library, ())
    extra = who if who in extras else extras[0] if extras else ""
    requirement = f"'{PROJECT}[{extra}]'" if extra else _ELSEWHERE.get(library, PROJECT)
    return LibraryMissingError(f"{who} needs {library}: pip install {requirement}")
