#!/usr/bin/env bash
# Builds an x86 machine with a display for the tests here: Debian 13 with the packages, files and units of the card's
# image, the table installed as on a card, Debian's kernel with drivers of QEMU's displays. Run by `make test-kiosk`;
# needs root and Debian's archive. A second run builds only what is missing; FRESH=yes: all of it.
set -euo pipefail
umask 022
export LC_ALL=C.UTF-8

here=$(cd "$(dirname "$0")" && pwd)
project=$(cd "$here/../../.." && pwd)
out=$project/build/kiosk
root=$out/root work=$out/work
step() { printf '== kiosk: %s  (%ss)\n' "$*" "$SECONDS"; }
fail() {
    printf 'kiosk: %s\n' "$*" >&2
    exit 1
}

[ "$(id -u)" = 0 ] || fail "only root may do this; use: sudo make test-kiosk"
for pair in mmdebstrap:mmdebstrap qemu-system-x86_64:qemu-system-x86 mkfs.ext4:e2fsprogs mkfs.vfat:dosfstools mcopy:mtools \
    cpio:cpio xz:xz-utils sfdisk:fdisk busybox:busybox-static; do
    command -v "${pair%%:*}" >/dev/null || fail "something is missing: apt-get install ${pair##*:}"
done
mkdir -p "$out"
[ "${FRESH:-no}" = no ] || rm -rf "$root" "$out/table.tar"

if [ ! -d "$root" ]; then
    step "Debian"
    mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
        awk -v release="$(. /etc/os-release && echo "$VERSION_CODENAME")" '$2 == release { print $1; exit }')
    settings=$(mktemp)
    apt-config dump | grep -E '^Acquire::(https?::|Check-|Retries).* ".+";$' >"$settings" || true
    # What updates a card needs no display.
    packages=$(awk '$1 == "root" && $2 !~ /^rauc/ { print $2 }' "$project/systemd/image/packages" | paste -sd,)
    mmdebstrap --quiet --mode=root --variant=minbase --architectures=amd64 --include="$packages,linux-image-amd64" \
        --aptopt="$settings" --aptopt='APT::Install-Recommends "false"' --dpkgopt=force-unsafe-io \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
        --dpkgopt='path-exclude=/usr/share/locale/*' trixie "$root.new" "$mirror" || fail "Debian 13 could not be unpacked"
    rm -f "$settings"
    mv "$root.new" "$root"
fi
release=$(basename "$root"/usr/lib/modules/*)

step "the table"
bash "$project/.ci/on-debian" trixie env SOURCE_DATE_EPOCH=1700000000 COMPILED=no bash systemd/image/install-table >"$out/table.log" 2>&1 ||
    { tail -n 20 "$out/table.log" >&2; fail "the table could not be installed"; }
cp "$project/build/rootfs-trixie/var/tmp/table.tar" "$out/table.tar"

step "the disk"
rm -rf "$work" && mkdir -p "$work"
cp -a "$root" "$work/slot"
slot=$work/slot
tar -C "$slot" -xf "$out/table.tar"
cp -R "$project/systemd/image/root/." "$slot/"
chroot "$slot" systemd-sysusers
chmod 755 "$slot"/usr/lib/table-image/*
modules=$slot/usr/lib/modules/$release/kernel
# Of its displays it needs QEMU's; they and their neighbours are most of what the kernel has.
find "$modules/drivers/gpu/drm" -mindepth 1 -maxdepth 1 -type d ! -name virtio ! -name tiny ! -name display ! -name ttm -exec rm -rf {} +
rm -rf "$modules"/{sound,drivers/{net,media,infiniband,iio,staging,scsi,ata,nvme}} "$slot"/{boot,var/cache/apt}/*
depmod -b "$slot" "$release"
mkdir -p "$slot/etc/table-controller"
systemctl --root="$slot" --quiet mask getty@.service serial-getty@.service console-getty.service apt-daily.timer \
    apt-daily-upgrade.timer systemd-binfmt.service proc-sys-fs-binfmt_misc.automount table-network.service \
    table-update-running.service table-mark-good.service table-update-install.path systemd-networkd-wait-online.service
systemctl --root="$slot" --quiet enable table-controller.service table-first-start.service table-kiosk.service \
    table-kiosk-settings.service table-kiosk-settings.path
systemctl --root="$slot" --quiet set-default multi-user.target
echo table >"$slot/etc/hostname"
: >"$slot/etc/machine-id"
rm -f "$slot/usr/sbin/policy-rc.d"
chroot "$slot" /opt/table-controller/bin/python -I -B -S /opt/table-controller/bin/table-controller verify-software --seal >/dev/null
rm -f "$out/disk.img"
truncate -s 2G "$out/disk.new"
mkfs.ext4 -q -d "$slot" "$out/disk.new"
mv "$out/disk.new" "$out/disk.img"

step "an initrd that loads the disk's drivers"
initrd=$work/initrd
mkdir -p "$initrd"/{bin,modules,proc,sys,dev,root}
cp "$(command -v busybox)" "$initrd/bin/busybox"
number=100
for name in virtio_pci virtio_blk ext4; do
    modprobe -d "$slot" -S "$release" --show-depends "$name" | awk '$1 == "insmod" { print $2 }'
done | awk '!seen[$0]++' | while read -r file; do
    number=$((number + 1))
    xz -dc "$file" >"$initrd/modules/$number-$(basename "$file" .xz)"
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
cp "$root/boot/vmlinuz-$release" "$out/vmlinuz"
rm -rf "$work"
step "built in $out"
