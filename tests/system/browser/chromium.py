"""Headless Chromium, as Debian packages it: windows of a given size, and nothing that it fetches by itself."""

from pathlib import Path

from selenium.webdriver import Chrome, ChromeOptions, ChromeService

CHROMIUM, DRIVER = Path("/usr/bin/chromium"), Path("/usr/bin/chromedriver")
FLAGS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)
Size = tuple[int, int]
SIZES: dict[str, Size] = {"screen": (1920, 1080), "small": (800, 480), "phone": (390, 844)}
"""Width and height in CSS pixels."""
BOARD_SIZES: dict[str, Size] = SIZES | {"small-hd": (1280, 720), "4k": (3840, 2160), "upright": (1080, 1920)}
"""Of the displays on which the players' board hangs, and a telephone."""


def start(profile: Path, flags: tuple[str, ...] = ()) -> Chrome:
    """A browser with an empty profile.

    Args:
        profile: an empty folder for what it keeps.
        flags: further ones of its command line.

    Raises:
        FileNotFoundError: there is no Chromium here; says how to install it.
    """
    for program in (CHROMIUM, DRIVER):
        if not program.exists():
            raise FileNotFoundError(f"{program} is missing: sudo apt install chromium chromium-driver")
    options = ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (*FLAGS, *flags, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return Chrome(options=options, service=ChromeService(str(DRIVER)))


def resize(browser: Chrome, size: Size) -> None:
    """Give the present tab a viewport of exactly this size; a window has a least width."""
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
