"""The displays at this computer's outputs, as the kernel knows them (DRM): ``/sys/class/drm/CARD-OUTPUT/status``.

The kernel keeps each status up to date by the output's hot-plug line; to read it asks no device.
"""

from contextlib import suppress
from pathlib import Path

DRM = Path("/sys/class/drm")


class LinuxDisplays:
    """The outputs of this computer.

    Args:
        drm: the kernel's folder.
    """

    def __init__(self, drm: Path = DRM) -> None:
        self._drm = drm

    def connected(self) -> tuple[str, ...]:
        """The outputs with a display, as ``HDMI-A-1``, in the kernel's order; empty if there is none."""
        found = []
        for output in sorted(self._drm.glob("card*-*")):
            with suppress(OSError):
                if (output / "status").read_text("ascii").strip() == "connected":
                    found.append(output.name.partition("-")[2])
        return tuple(found)
