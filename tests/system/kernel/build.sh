#!/usr/bin/env bash
# Builds a virtual machine with a real kernel GPIO chip: Debian's kernel, its gpio-sim module built out of tree, and a
# small Debian with systemd and the table controller's libraries. Run by `make test-kernel`; needs root and Debian's
# archive. Nothing that it builds is kept in the repository. A second run only builds what is missing.
set -euo pipefail

here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
out=${1:-$root/build/kernel}
mkdir -p "$out"
step() { printf '== %s  (%ss)\n' "$*" "$SECONDS"; }

step "packages"
apt-get update -q >/dev/null
# The signed image comes into the archive hours or days after its headers.
release=$(apt-cache search --names-only '^linux-image-6\.1\.0-[0-9]+-amd64$' | sort -V | tail -n 1 | cut -d' ' -f1)
release=${release#linux-image-}
[ -n "$release" ] || { echo "no linux-image-6.1.0-N-amd64 in Debian's archive: is this Debian 12?" >&2; exit 1; }
DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends \
    qemu-system-x86 qemu-utils debootstrap busybox-static cpio gcc libc6-dev make xz-utils e2fsprogs \
    "linux-headers-$release" kmod >/dev/null

if [ ! -e "$out/vmlinuz" ]; then
    step "kernel $release"
    ls "$out"/linux-image-"$release"_*.deb "$out"/linux-source-6.1_*.deb >/dev/null 2>&1 ||
        (cd "$out" && apt-get download -q "linux-image-$release" linux-source-6.1)
    rm -rf "$out/image" "$out/source" && mkdir "$out/image" "$out/source"
    dpkg-deb -x "$out"/linux-image-*.deb "$out/image"
    dpkg-deb -x "$out"/linux-source-6.1_*.deb "$out/source"
    cp "$out/image/boot/vmlinuz-$release" "$out/vmlinuz"
fi

if [ ! -e "$out/gpio-sim.ko" ]; then
    step "gpio-sim"
    module=$out/module
    rm -rf "$module" && mkdir "$module"
    for file in drivers/gpio/gpio-sim.c drivers/gpio/gpiolib.h kernel/irq/irq_sim.c; do
        tar -xJf "$out"/source/usr/src/linux-source-6.1.tar.xz -C "$module" --strip-components=1 "linux-source-6.1/$file"
    done
    mv "$module/drivers/gpio/gpio-sim.c" "$module/sim.c"
    mv "$module/drivers/gpio/gpiolib.h" "$module/"
    # Debian's kernel has no irq_sim, and does not export what it uses: the descriptor is had another way.
    sed 's/irq_to_desc(irqnum)/irq_data_to_desc(irq_get_irq_data(irqnum))/' \
        "$module/kernel/irq/irq_sim.c" >"$module/irq_sim.c"
    printf 'obj-m := gpio-sim.o\ngpio-sim-y := sim.o irq_sim.o\n' >"$module/Makefile"
    make -s -C "/lib/modules/$release/build" M="$module" modules >"$out/module.log" 2>&1 ||
        { tail -n 20 "$out/module.log" >&2; exit 1; }
    cp "$module/gpio-sim.ko" "$out/"
fi
if [ ! -e "$out/disk.img" ]; then
    step "a Debian with systemd"
    guest=$out/guest
    mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
        awk '$2 == "bookworm" { print $1; exit }')
    rm -rf "$guest"
    debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,udev,kmod,python3,python3-venv \
        bookworm "$guest" "$mirror" >"$out/debootstrap.log" 2>&1 || { tail -n 20 "$out/debootstrap.log" >&2; exit 1; }
    mkdir -p "$guest/lib/modules" "$guest/srv/shared"
    cp -r "$out/image/lib/modules/$release" "$guest/lib/modules/"
    cp "$out/gpio-sim.ko" "$guest/lib/modules/$release/kernel/"
    depmod -b "$guest" "$release"
    # What of the kernel's modules the guest never needs is most of the disk.
    rm -rf "$guest/lib/modules/$release/kernel/"{sound,drivers/{gpu,net,media,infiniband,scsi,usb,staging}}
    depmod -b "$guest" "$release"
    systemctl --root="$guest" -q mask proc-sys-fs-binfmt_misc.automount proc-sys-fs-binfmt_misc.mount \
        systemd-binfmt.service getty@tty1.service
    cp "$here"/guest/*.service "$guest/etc/systemd/system/"
    systemctl --root="$guest" -q enable bench-agent.service
    cp "$here/guest/agent.py" "$guest/usr/local/bin/bench-agent"
    rm -rf "$guest/var/cache/apt" "$guest/usr/share/doc" "$guest/usr/share/locale"
    echo table >"$guest/etc/hostname"
    : >"$guest/etc/machine-id"
    truncate -s 1G "$out/disk.part"
    mkfs.ext4 -q -d "$guest" "$out/disk.part"
    mv "$out/disk.part" "$out/disk.img"
fi

if [ ! -e "$out/initrd" ]; then
    step "an initrd that loads the disk's drivers"
    initrd=$out/initrd.d
    rm -rf "$initrd" && mkdir -p "$initrd"/{bin,modules,proc,sys,dev,root}
    cp /bin/busybox "$initrd/bin/"
    number=0
    for name in virtio_pci virtio_blk ext4 9pnet_virtio 9p; do
        modprobe -d "$out/guest" -S "$release" --show-depends "$name" | awk '$1 == "insmod" { print $2 }'
    done | awk '!seen[$0]++' | while read -r file; do
        number=$((number + 1))
        cp "$file" "$initrd/modules/$(printf %03d "$number")-$(basename "$file")"
    done
    cat >"$initrd/init" <<'INIT'
#!/bin/busybox sh
/bin/busybox mount -t proc proc /proc
/bin/busybox mount -t sysfs sysfs /sys
/bin/busybox mount -t devtmpfs dev /dev
for module in /modules/*; do /bin/busybox insmod "$module"; done
until [ -b /dev/vda ]; do /bin/busybox usleep 20000; done
/bin/busybox mount -t ext4 /dev/vda /root
exec /bin/busybox switch_root /root /sbin/init
INIT
    chmod +x "$initrd/init"
    (cd "$initrd" && find . | cpio -o -H newc --quiet) >"$out/initrd"
fi
step "built in $out"
