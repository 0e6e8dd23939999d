"""Buttons, keypads, switches, lamps and a buzzer on the pins of the Raspberry Pi's header. Backend ``gpiozero``.

The files named after kinds of device are the backends. They share :mod:`hal.gpiozero.factories` (the options
``pin_factory`` and ``chip``), :mod:`hal.gpiozero.pins` and :mod:`hal.gpiozero.contacts`. Pins are BCM numbers.
Library: https://gpiozero.readthedocs.io

.. code-block:: yaml

    sounder:
      backend: gpiozero
      options:
        pin_factory: gpiod
      pin: 12
"""
