# shellcheck shell=bash
# Makes Debian 13's kernel for arm64 and an initramfs with its Bluetooth modules, below .tools/kernel-arm64. Sourced by
# tools/arm64-test, after image.sh.

: "${project:?}" "${tools_state:?}"

kernel_gnu=aarch64-linux-gnu

# The modules of image.sh, and what they need here.
arm64_kernel_modules=(
    virtio_pci virtio_mmio virtio_console virtio-rng 9pnet_virtio 9p overlay
    cmac ccm bluetooth hci_vhci uhid uinput algif_hash algif_skcipher
)

# need_arm64_kernel_image: makes the image if it is missing, and sets what machine.sh boots.
need_arm64_kernel_image() {
    kernel_suite=trixie
    kernel_image=$tools_state/kernel-arm64
    kernel_modules=("${arm64_kernel_modules[@]}")
    local stamp
    stamp=$(cat "$project"/tools/kernel/{image.sh,arm64.sh,init} | cksum)
    [[ -f $kernel_image/stamp && $(cat "$kernel_image/stamp") == "$stamp" ]] && return 0
    mkdir -p "$kernel_image"
    if [[ ! -f $kernel_image/package/complete ]]; then
        unpack_arm64_kernel
        build_vhci
        touch "$kernel_image/package/complete"
    fi
    say "Making an initramfs below $kernel_image"
    cp "$kernel_image/package/boot/vmlinuz-$(kernel_version)" "$kernel_image/vmlinuz"
    make_initramfs "$kernel_image/busybox/usr/bin/busybox"
    printf '%s\n' "$stamp" >"$kernel_image/stamp"
}

# download_foreign FOLDER PACKAGE…: without what they depend on.
download_foreign() {
    local folder=$1
    shift
    rm -rf "$folder"
    mkdir -p "$folder"
    (cd "$folder" && foreign_apt "$kernel_image/apt" "$kernel_suite" arm64 download "$@")
}

unpack_arm64_kernel() {
    say "Unpacking Debian 13's kernel for arm64 below $kernel_image (once; 500 MB to download, 2 GB)"
    local name version package new=$kernel_image/downloaded
    download_foreign "$new" linux-image-arm64 linux-headers-arm64
    name=$(dpkg-deb -f "$new"/linux-image-arm64_*.deb Depends | grep -o 'linux-image-[^ ,]*')
    version=${name#linux-image-} # 6.12.117+deb13-arm64
    download_foreign "$new" "$name" "linux-headers-$version" "linux-headers-${version%-arm64}-common" \
        "linux-source-${version%%.*}.$(cut -d. -f2 <<<"$version")" busybox-static
    rm -rf "$kernel_image/package" "$kernel_image/busybox"
    mkdir -p "$kernel_image"/{package,busybox}
    for package in "$new"/linux-{image,headers,source}-*.deb; do dpkg-deb -x "$package" "$kernel_image/package"; done
    # depmod looks in /lib.
    ln -s usr/lib "$kernel_image/package/lib"
    dpkg-deb -x "$new"/busybox-static_*.deb "$kernel_image/busybox"
    rm -rf "$new"
}

# Debian's kernel for arm64 has no hci_vhci (CONFIG_BT_HCIVHCI is not set). The module is one file of the kernel's source.
# It is compiled by the compiler that the kernel's headers name, in a Debian of its own.
build_vhci() {
    say "Building the module hci_vhci for arm64"
    local root=$kernel_image/builder version source
    version=$(kernel_version)
    unpack_system "$root" "$kernel_suite" amd64 \
        bash coreutils dash findutils grep gawk sed make "gcc-14-$kernel_gnu" "linux-kbuild-${version%-arm64}"
    cp -a "$kernel_image/package/usr/src" "$root/usr/"
    # The packages are not configured, so the alternatives are missing.
    ln -s gawk "$root/usr/bin/awk"
    mkdir -p "$root"/{module,proc,dev,tmp}
    source=$(echo "$root"/usr/src/linux-source-*.tar.xz)
    tar -xJf "$source" -C "$root/module" --strip-components=3 --wildcards '*/drivers/bluetooth/hci_vhci.c'
    echo 'obj-m := hci_vhci.o' >"$root/module/Makefile"
    quietly "$kernel_image/module.log" as_root chroot "$root" /usr/bin/env -i PATH=/usr/bin:/bin:/usr/sbin:/sbin HOME=/tmp \
        make -C "/usr/src/linux-headers-$version" M=/module ARCH=arm64 "CROSS_COMPILE=$kernel_gnu-" \
        "CC=$kernel_gnu-gcc-14" CONFIG_DEBUG_INFO_BTF_MODULES= modules || fail "hci_vhci does not compile"
    install -D -m 644 "$root/module/hci_vhci.ko" \
        "$kernel_image/package/lib/modules/$version/kernel/drivers/bluetooth/hci_vhci.ko"
    rm -rf "$root" "$kernel_image/package/usr/src"
}
