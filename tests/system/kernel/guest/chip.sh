#!/bin/sh
# Makes a simulated GPIO chip as a Raspberry Pi has it: chip.sh NAME LABEL. Prints where its lines are pulled.
set -e
[ -d /sys/module/gpio_sim ] || modprobe gpio-sim
mount | grep -q configfs || mount -t configfs none /sys/kernel/config
chip=/sys/kernel/config/gpio-sim/$1
mkdir "$chip" "$chip/bank"
echo 54 >"$chip/bank/num_lines"
echo "$2" >"$chip/bank/label"
for line in $(seq 0 27); do
    mkdir "$chip/bank/line$line"
    echo "GPIO$line" >"$chip/bank/line$line/name"
done
echo 1 >"$chip/live"
udevadm settle
echo "/sys/devices/platform/$(cat "$chip/dev_name")/$(cat "$chip/bank/chip_name")"
