#!/bin/sh
# Makes /dev/spidev0.0 of the parallel port, by the kernel's driver for a cable that is an SPI bus on such a port
# (Documentation/spi/butterfly.rst): pin 2 is the clock, pin 9 the data, pin 17 the chip select.
set -e
if [ ! -e /dev/spidev0.0 ]; then
    modprobe -a parport_pc spi-butterfly
    udevadm settle # What the driver believes to be on the bus is tried first, and is not there.
    echo spidev >/sys/bus/spi/devices/spi42.1/driver_override
    echo spi42.1 >/sys/bus/spi/drivers/spidev/bind
    udevadm settle
    ln -s spidev42.1 /dev/spidev0.0
fi
