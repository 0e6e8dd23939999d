"""Packaging of the table controller. Tools and the build system are configured in pyproject.toml."""

from pathlib import Path

from setuptools import find_packages, setup

# The simulated hardware and the terminal bench: nothing that a live table loads.
BENCH = ["numpy>=1.26", "rich>=13"]
# The kernel's GPIO lines: wheels exist for 64-bit x86 and Arm.
GPIO = ["gpiod>=2.2; platform_system == 'Linux'", "lgpio>=0.2.2; platform_system == 'Linux'"]
# Pure Python. Its minor versions change what the RS-485 line builds on: raise the pin with the contract tests.
MODBUS = "pymodbus>=3.16,<3.17"

setup(
    name="table-controller",
    version="0.1.0",
    description="Firmware for the Raspberry Pi under a casino table",
    long_description=Path(__file__).with_name("README.md").read_text(encoding="utf-8"),
    long_description_content_type="text/markdown",
    license="Apache-2.0",
    python_requires=">=3.11",
    packages=find_packages(include=["controller*", "hal*", "config*"]),
    package_data={"config": ["tables/*.yaml"], "controller": ["py.typed"], "hal": ["py.typed"]},
    install_requires=[
        "PyYAML>=6.0",
        "pydantic>=2.6",
        "transitions>=0.9.2",
        "gpiozero>=2.0",
        "pyserial>=3.5",
        "pyvcd>=0.4",
    ],
    extras_require={
        "bench": BENCH,
        "gpio": GPIO,
        # RPi.GPIO, spidev and evdev build from source: gcc and the Python headers are needed.
        "pi": [
            *GPIO,
            "RPi.GPIO>=0.7.1; platform_machine in 'aarch64 armv7l armv6l'",
            "spidev>=3.6; platform_machine in 'aarch64 armv7l armv6l'",
            "evdev>=1.7; platform_system == 'Linux'",
            MODBUS,
        ],
        "dev": [
            *BENCH,
            *GPIO,
            "pytest>=8",
            "pytest-mock>=3.12",
            "pytest-xdist>=3.5",
            "hypothesis>=6.100",
            "mypy>=1.11",
            MODBUS,
            "ruff>=0.6",
            "types-PyYAML",
        ],
    },
    entry_points={"console_scripts": ["table-controller=controller.cli:main"]},
    classifiers=[
        "License :: OSI Approved :: Apache Software License",
        "Operating System :: POSIX :: Linux",
        "Programming Language :: Python :: 3.11",
        "Typing :: Typed",
    ],
)
