"""The browser at the display: cog, WPE WebKit's own, alone in cage, which draws on the kernel's display driver.

No desktop, address bar, menu or cursor. It keeps nothing from one start to the next.
"""

import os
import signal
import subprocess
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path

PROGRAMS = (Path("/usr/bin/cage"), Path("/usr/bin/cog"))
MISSING = "{} is not there, so nothing is shown: sudo apt install cage cog libgles2 fonts-dejavu-core"
# Of two displays the one that was connected last.
_COMPOSITOR = ("-d", "-m", "last", "--")
_OPTIONS = (
    "--platform=wl",
    "--bg-color=black",
    # This process starts it anew, and says so in the log.
    "--webprocess-failure=exit",
    # Smaller caches: the pages are few, and their server is near.
    "--doc-viewer",
    "--enable-page-cache=false",
    "--enable-webaudio=false",
    "--enable-webrtc=false",
    "--javascript-can-open-windows-automatically=false",
    "--allow-modal-dialogs=false",
    # At loopback the certificate's name is another computer's; the unit lets the browser reach nothing else.
    "--ignore-tls-errors",
)
_ENVIRONMENT = {
    # Devices are opened as this user may, and not through a service that opens all of them for it.
    "LIBSEAT_BACKEND": "noop",
    "WLR_LIBINPUT_NO_DEVICES": "1",
    "COG_PLATFORM_WL_VIEW_FULLSCREEN": "1",
    "GIO_USE_PROXY_RESOLVER": "dummy",
    "GSETTINGS_BACKEND": "memory",
    "NO_AT_BRIDGE": "1",
    # Its own sandbox needs namespaces, which the unit forbids: the unit is the sandbox.
    "WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS": "1",
}
_END_S = 5.0


def command_of(url: str) -> list[str]:
    """The browser's command line for a page."""
    cage, cog = map(str, PROGRAMS)
    return [cage, *_COMPOSITOR, cog, *_OPTIONS, url]


def missing() -> str:
    """What has to be installed; empty if it is."""
    return next((MISSING.format(program) for program in PROGRAMS if not program.exists()), "")


def environment_of(folder: Path, inherited: Mapping[str, str] = os.environ) -> dict[str, str]:
    """The browser's environment: all that it writes goes into one folder of memory."""
    places = dict.fromkeys(
        ("HOME", "XDG_RUNTIME_DIR", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME"), str(folder)
    )
    return {**inherited, **_ENVIRONMENT, **places}


class Browser:
    """One browser at a time, with all of its processes.

    Args:
        folder: where it may write.
        command: makes the command line of a page; the browser's by default.
    """

    def __init__(self, folder: Path, command: Sequence[str] = ()) -> None:
        self._folder = folder
        self._command = tuple(command)
        self._process: subprocess.Popen[bytes] | None = None
        self.url = ""
        """The page that it was started with; empty if none runs."""

    @property
    def running(self) -> bool:
        """Whether it runs."""
        return self._process is not None and self._process.poll() is None

    def open(self, url: str) -> None:
        """Show a page, in a browser of its own.

        Raises:
            OSError: it cannot be started.
        """
        self.close()
        command = [*self._command, url] if self._command else command_of(url)
        self._process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, env=environment_of(self._folder), start_new_session=True
        )
        self.url = url

    def close(self) -> None:
        """End it, and whatever it has started."""
        process, self._process, self.url = self._process, None, ""
        if process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            process.wait(_END_S)
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()
