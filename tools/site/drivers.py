"""The reference of the drivers' options, from the settings of every backend of this distribution."""

from config.json_schema import schema_of
from hal.registry import KINDS, backends, settings_model
from tools.site.keys import keys_of
from tools.site.markdown import plain

_HEAD = """# Options of the drivers

Each device of a table's file names its driver as `backend` and what that driver needs under `options`. Made from
the drivers' own settings. Which driver suits which device: [the drivers](../project/readme.md#the-drivers).
"""


def page() -> str:
    """The page of all drivers, by kind of device."""
    text = _HEAD
    for kind in KINDS:
        text += f"\n## {kind}\n"
        for backend in backends(kind):
            text += f"\n### {kind}: `{backend}`\n\n{_options(kind, backend)}"
    return text


def _options(kind: str, backend: str) -> str:
    model = settings_model(kind, backend)
    schema = schema_of(model)
    words = plain((model.__doc__ or "").partition("\n\n")[0])
    return f"{words}\n\n" + (keys_of(schema, schema) or "It takes no options.\n\n")
