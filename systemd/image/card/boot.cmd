# The boot loader's choice of a slot, with the names of RAUC's U-Boot backend. The state is kept twice on the card,
# each copy with a checksum; the first is written first, and a copy that was cut short is no copy.
setenv BOOT_ORDER "A B"
setenv BOOT_A_LEFT 3
setenv BOOT_B_LEFT 3
test -n "${devtype}" || setenv devtype mmc
test -n "${devnum}" || setenv devnum 0
setenv block 0x07f00000
setenv names "BOOT_ORDER BOOT_A_LEFT BOOT_B_LEFT"
setenv write_state 'env export -c -s 0x200 ${block} ${names}; ${devtype} write ${block} 0x800 1; ${devtype} write ${block} 0x1000 1'
${devtype} dev ${devnum}
${devtype} read ${block} 0x800 1
if env import -c ${block} 0x200 ${names}; then true; else
  echo "table: the first copy of the state is not whole"
  ${devtype} read ${block} 0x1000 1
  env import -c ${block} 0x200 ${names} || echo "table: no state is whole: both slots have three tries"
fi
setenv slot
for name in "${BOOT_ORDER}"; do
  if test "x${slot}" != "x"; then true;
  elif test "x${name}" = "xA"; then
    if test ${BOOT_A_LEFT} -gt 0; then setexpr BOOT_A_LEFT ${BOOT_A_LEFT} - 1; setenv slot A; setenv boot 5; setenv root 6; fi
  elif test "x${name}" = "xB"; then
    if test ${BOOT_B_LEFT} -gt 0; then setexpr BOOT_B_LEFT ${BOOT_B_LEFT} - 1; setenv slot B; setenv boot 7; setenv root 8; fi
  fi
done
if test -z "${slot}"; then
  echo "table: no slot has a try left; both are tried again"
  setenv BOOT_ORDER "A B"; setenv BOOT_A_LEFT 3; setenv BOOT_B_LEFT 3
  run write_state
  sleep 5
  reset
fi
run write_state
echo "table: slot ${slot} of ${BOOT_ORDER}, tries left ${BOOT_A_LEFT} ${BOOT_B_LEFT}"
setenv kernel_addr_r 0x00200000
setenv fdt_addr_r 0x06000000
setenv kernel_comp_addr_r 0x08000000
setenv kernel_comp_size 0x04000000
setenv ramdisk_addr_r 0x0c000000
setenv from "${devtype} ${devnum}:${boot}"
if load ${from} ${block} slot.env && env import -t ${block} ${filesize} table_arguments &&
   load ${from} ${kernel_addr_r} kernel.gz && load ${from} ${fdt_addr_r} ${fdtfile} && load ${from} ${ramdisk_addr_r} initrd.gz; then
  # The slot's device tree is the kernel's; which board it is, the firmware's alone says, and gpiozero asks for it.
  if test -n "${board_revision}"; then
    fdt addr ${fdt_addr_r}; fdt resize 4096; fdt mknode / system; fdt set /system linux,revision "<${board_revision}>"
  fi
  setenv bootargs "${table_arguments} table.root=${root} rauc.slot=${slot}"
  booti ${kernel_addr_r} ${ramdisk_addr_r}:${filesize} ${fdt_addr_r}
fi
echo "table: slot ${slot} does not start"
sleep 3
reset
