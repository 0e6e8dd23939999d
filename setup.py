"""Packaging of the table controller. Tools and the build system are configured in pyproject.toml."""

import sys
from pathlib import Path

from setuptools import find_packages, setup

HERE = Path(__file__).parent
# A build tool does not look for modules beside setup.py.
sys.path.insert(0, str(HERE))

from controller import __version__  # noqa: E402

# The requirements below are locked, with hashes, in requirements/: run `make lock` after a change.

# The kernel's GPIO lines: wheels exist for 64-bit x86 and Arm.
GPIO = ["gpiod>=2.2; platform_system == 'Linux'"]
# Pure Python. Minor versions change what the RS-485 line extends: raise the pin with the contract tests.
MODBUS = "pymodbus>=3.16,<3.17"
# For the publisher. It overrides internals of aiomqtt, so it depends on the minor version: raise the pin with the
# tests on a real broker.
PUBLISH = ["aiomqtt>=2.5,<2.6"]
SBOM = "cyclonedx-python-lib>=11"
# Writes the completion of bash and zsh.
SHELL = "shtab>=1.8"
# Ed25519: a witness needs no more, and the floor is one.
WITNESS = ["cryptography>=44"]
# For the signing process and for audits: with timestamps by RFC 3161.
SIGN = [*WITNESS, "rfc3161-client>=1.0.9"]
# /metrics, as Prometheus and OpenMetrics have it.
METRICS = ["prometheus-client>=0.25"]
# joserfc checks what an OpenID Connect provider signs; alembic brings a store to this version; pygal draws charts.
FLOOR = [
    *PUBLISH,
    *WITNESS,
    *METRICS,
    "SQLAlchemy>=2.0",
    "alembic>=1.18",
    "psycopg[binary]>=3.2",
    "joserfc>=1.6",
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
            "floor/pages/assets/*",
            "door/assets/*",
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
        "h11>=0.16",
        # The simulated hardware of bench and simulation.
        "numpy>=1.26",
    ],
    extras_require={
        "gpio": GPIO,
        # RPi.GPIO, spidev and evdev build from source: gcc and the Python headers are needed.
        "pi": [
            *GPIO,
            "RPi.GPIO>=0.7.1; platform_machine in 'aarch64 armv7l armv6l'",
            "spidev>=3.6; platform_system == 'Linux'",
            "evdev>=1.7; platform_system == 'Linux'",
            MODBUS,
        ],
        "publish": [*PUBLISH, *METRICS],
        "shell": [SHELL],
        "sign": SIGN,
        "floor": FLOOR,
        # Writes the bill of materials of a release.
        "release": [SBOM],
        "fuzz": ["atheris>=3.0"],
        "dev": [
            *GPIO,
            # For pins through lgpio, which has wheels up to Python 3.12.
            "lgpio>=0.2.2; platform_system == 'Linux' and python_version < '3.13'",
            *FLOOR,
            SBOM,
            SHELL,
            *SIGN,
            "trustme>=1.2",  # Certificates for a test's broker.
            "jsonschema>=4.23",
            "packaging>=24",  # Reads the requirements that the locks are compared with.
            "pytest>=8",
            "pytest-mock>=3.12",
            "pytest-xdist>=3.5",
            "hypothesis>=6.100",
            "import-linter>=2.3",
            "selenium>=4.20",  # Drives Chromium.
            "mypy>=2.4",
            MODBUS,
            "ruff>=0.6",
            "scipy>=1.11,<1.18",  # Integrates the equations of a wheel's motion; 1.18 needs Python 3.12.
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
