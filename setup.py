"""Packaging of the table controller. Tools and the build system are configured in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import find_packages, setup

HERE = Path(__file__).parent
# A build tool does not look for modules beside setup.py.
sys.path.insert(0, str(HERE))

from controller import __version__  # noqa: E402

# requirements.txt has the version and the hashes of each package: run `make lock` after a change.

# It has wheels for 64-bit x86 and Arm.
GPIOD = "gpiod>=2.2; platform_system == 'Linux'"
# Pure Python. Minor versions change the class that the RS-485 line extends: raise this with the contract tests.
MODBUS = "pymodbus>=3.16,<3.17"
# MQTT, and Ed25519 for signatures. The publisher overrides internals of aiomqtt and depends on its minor version:
# raise it with the tests on a real broker.
PUBLISH = ["aiomqtt>=2.5,<2.6", "cryptography>=44"]
FLOOR = [
    *PUBLISH,
    "SQLAlchemy>=2.0",
    "psycopg[binary]>=3.2",
    # The floor's pages.
    "jinja2>=3.1",
    "pygal>=3.1",
]


setup(
    name="table-controller",
    version=__version__,
    description="Firmware for the Raspberry Pi under a casino table",
    long_description=(HERE / "README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    python_requires=">=3.11",
    packages=find_packages(include=["controller*", "hal*", "config*"]),
    package_data={
        "config": ["tables/*.yaml", "floors/*.yaml"],
        "controller": [
            "py.typed",
            "screens/assets/*",
            "screens/assets/plain/*",
            "floor/views.sql",
            "floor/assets/*",
            "floor/templates/*",
            "games/*/*.js",
            "games/*/*.css",
        ],
        "hal": ["py.typed"],
    },
    install_requires=[
        "PyYAML>=6.0",
        "pydantic>=2.12",
        "transitions>=0.9.2",
        "gpiozero>=2.0",
        "pyserial>=3.5",
        "pyvcd>=0.4",
        # The pages of a table and of the floor.
        "starlette>=1.0",
        "uvicorn>=0.40",
        "h11>=0.16",
        # The simulated hardware of bench and simulation.
        "numpy>=1.26",
        # /metrics in the formats of Prometheus and OpenMetrics.
        "prometheus-client>=0.25",
    ],
    extras_require={
        # A table with its publisher. RPi.GPIO, spidev and evdev are built from source with gcc and
        # the Python headers.
        "pi": [
            GPIOD,
            "RPi.GPIO>=0.7.1; platform_machine in 'aarch64 armv7l armv6l'",
            "spidev>=3.6; platform_system == 'Linux'",
            "evdev>=1.7; platform_system == 'Linux'",
            MODBUS,
            *PUBLISH,
        ],
        "floor": FLOOR,
        # What the tests need, without building from source.
        "dev": [
            *FLOOR,
            GPIOD,
            # For pins through lgpio, which has wheels up to Python 3.12.
            "lgpio>=0.2.2; platform_system == 'Linux' and python_version < '3.13'",
            MODBUS,
            "trustme>=1.2",  # Certificates for a test's broker.
            "jsonschema>=4.23",
            "pytest>=8",
            "pytest-mock>=3.12",
            "pytest-xdist>=3.5",
            "hypothesis>=6.100",
            "import-linter>=2.3",
            "selenium>=4.20",  # Drives Chromium.
            "mypy>=2.4",
            "ruff>=0.6",
            "setuptools>=70.1",  # Builds wheels: the content of a built package is tested.
            "types-PyYAML",
        ],
    },
    entry_points={"console_scripts": ["table-controller=controller.commands.cli:main"]},
    classifiers=[
        "License :: OSI Approved :: Apache Software License",
        "Operating System :: POSIX :: Linux",
        "Programming Language :: Python :: 3.11",
        "Programming Language :: Python :: 3.12",
        "Programming Language :: Python :: 3.13",
        "Typing :: Typed",
    ],
)
