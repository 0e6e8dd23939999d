"""What every part of a configuration file is."""

from pydantic import BaseModel, ConfigDict


class Section(BaseModel):
    """A part of the file. Unknown keys are errors; the values cannot be changed once read.

    What checks a part is made where that part is checked by itself: mostly the whole file is, at once.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, arbitrary_types_allowed=True, defer_build=True)
