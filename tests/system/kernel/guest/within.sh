#!/bin/sh
# Runs a command in the place of a service's main process: within.sh UNIT COMMAND... In the unit's control group, to
# which its list of devices applies, in its mounts, and with its user and groups.
set -e
unit=$1
shift
process=$(systemctl show -P MainPID "$unit")
groups=$(sed -n 's/^Groups:[[:space:]]*//p' "/proc/$process/status" | sed 's/ *$//' | tr ' ' ,)
user=$(stat -c %u "/proc/$process") group=$(stat -c %g "/proc/$process")
echo $$ >"/sys/fs/cgroup$(systemctl show -P ControlGroup "$unit")/cgroup.procs"
exec nsenter -t "$process" -m -- setpriv --reuid="$user" --regid="$group" --groups="$groups" "$@"
