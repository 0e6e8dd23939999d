"""Which extra brings a library that not every table needs, and what to say where one is missing.

The one place that knows: whoever meets a ``ModuleNotFoundError``, the command line or a backend, asks here.
"""

from hal.errors import LibraryMissingError

PROJECT = "table-controller"
EXTRAS = {
    "numpy": ("bench", "floor"),
    "rich": ("bench",),
    "gpiod": ("gpio", "pi"),
    "RPi": ("pi",),
    "spidev": ("pi",),
    "evdev": ("pi",),
    "pymodbus": ("pi",),
    "aiomqtt": ("publish", "floor"),
    "paho": ("publish", "floor"),
    "sqlalchemy": ("floor",),
    "psycopg": ("floor",),
}
"""The extras of setup.py that bring a library, by the name it is imported by; the first is recommended."""
OF_EVERY_TABLE = (
    *("pydantic", "pydantic_core", "annotated_types", "typing_extensions", "typing_inspection"),
    *("yaml", "transitions", "six", "gpiozero", "colorzero", "serial", "vcd", "h11"),
)
"""What comes with the project itself: it is missing where an installation is damaged."""
_ELSEWHERE = {"lgpio": "lgpio", "pigpio": "pigpio"}
"""What none of the extras brings, by the name that pip knows it by."""


def missing(who: str, error: ModuleNotFoundError) -> LibraryMissingError | None:
    """What to say of an import that failed.

    Args:
        who: what needs the library, as for :func:`needs`.

    Returns:
        None if what is missing is none of these libraries: that is a defect, and not for words.
    """
    library = (error.name or "").partition(".")[0]
    return needs(who, library) if library in (*EXTRAS, *OF_EVERY_TABLE, *_ELSEWHERE) else None


def needs(who: str, library: str) -> LibraryMissingError:
    """One sentence that names a library which is not installed, and the command that installs it.

    Args:
        who: what needs it, in words. A command that an extra is named after, such as ``floor``, is told that extra.
        library: one of those above.
    """
    extras = EXTRAS.get(library, ())
    if extras:
        wanted = f"'{PROJECT}[{who if who in extras else extras[0]}]'"
    else:
        wanted = _ELSEWHERE.get(library, PROJECT)
    return LibraryMissingError(f"{who} needs {library}: pip install {wanted}")
