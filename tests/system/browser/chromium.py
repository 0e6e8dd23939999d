"""Headless Chromium, as Debian packages it: windows of a given size, and nothing that it fetches by itself."""

import os
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
SIZES: tuple[Size, ...] = ((1920, 1080), (800, 480))
"""Of a board's display, and of the small one at the dealer's place; in CSS pixels."""
FONTS = (
    "DejaVuSans",
    "DejaVuSans-Bold",
    "DejaVuSansMono",
    "DejaVuSansMono-Bold",
    "DejaVuSerif",
    "DejaVuSerif-Bold",
)
"""Those of fonts-dejavu-core, which a table has: others are narrower, and hide what does not fit."""


def start(profile: Path) -> Chrome:
    """A browser with an empty profile, and the letters of a table.

    Args:
        profile: an empty folder for what it keeps.

    Raises:
        FileNotFoundError: there is no Chromium here; says how to install it.
    """
    for program in (CHROMIUM, DRIVER):
        if not program.exists():
            raise FileNotFoundError(f"{program} is missing: sudo apt install chromium chromium-driver")
    options = ChromeOptions()
    options.binary_location = str(CHROMIUM)
    for flag in (*FLAGS, f"--user-data-dir={profile}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    fonts = profile.with_name(f"{profile.name}-fonts.conf")
    fonts.write_text(_font_settings(profile), encoding="utf-8")
    environment = os.environ | {"FONTCONFIG_FILE": str(fonts)}
    return Chrome(options=options, service=ChromeService(str(DRIVER), env=environment))


def _font_settings(profile: Path) -> str:
    """The computer's settings of fonts, for these alone."""
    accepted = "".join(f"<glob>/usr/share/fonts/truetype/dejavu/{name}.ttf</glob>" for name in FONTS)
    return (
        '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig>'
        f"<dir>/usr/share/fonts/truetype/dejavu</dir><cachedir>{profile}-fonts</cachedir>"
        '<include ignore_missing="yes">/etc/fonts/conf.d</include>'
        f"<selectfont><rejectfont><glob>*</glob></rejectfont><acceptfont>{accepted}</acceptfont></selectfont>"
        "</fontconfig>"
    )


def resize(browser: Chrome, size: Size) -> None:
    """Give the present tab a viewport of exactly this size; a window has a least width."""
    width, height = size
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
    browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
