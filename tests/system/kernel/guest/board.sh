#!/bin/sh
# Describes the processor as that of a Raspberry Pi 4, by whose revision gpiozero tells the board.
set -e
if ! grep -q Revision /proc/cpuinfo; then
    (cat /proc/cpuinfo; echo 'Revision : c03115') >/run/cpuinfo
    mount --bind /run/cpuinfo /proc/cpuinfo
fi
