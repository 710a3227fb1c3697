# shellcheck shell=bash
# Makes Debian's kernel and an initramfs with its Bluetooth modules, below .tools/kernel. Sourced by tools/kernel-test.

: "${project:?}" "${tools_state:?}"

# The files to boot: vmlinux or vmlinuz, initrd, modules.
kernel_image=$tools_state/kernel
# The suite of Debian that the kernel is taken from; empty: this machine's. Set by use_kernel_of.
kernel_suite=

# In the order of loading, each after its dependencies. First the modules for the virtual machine itself, then
# Bluetooth. The kernel looks for drbg, cmac and others at run time, and reports a failed self-test without them.
kernel_modules=(
    virtio_pci virtio_console virtio-rng 9pnet_virtio 9p overlay
    sha512_generic ctr ecb drbg cmac ccm bluetooth hci_vhci uhid uinput algif_hash algif_skcipher
)

# use_kernel_of SUITE: another one than this machine's. Needs debian.sh.
use_kernel_of() {
    kernel_suite=$1
    kernel_image=$tools_state/kernel-$1
}

# need_kernel_image: makes the image if it is missing. Returns 1 if Debian's kernel package is not available.
need_kernel_image() {
    local stamp
    stamp=$(cat "$project/tools/kernel/image.sh" "$project/tools/kernel/init" | cksum)
    [[ -f $kernel_image/stamp && $(cat "$kernel_image/stamp") == "$stamp" ]] && return 0
    [[ -d $kernel_image/package/lib/modules ]] || unpack_kernel || return 1
    say "Making an initramfs below $kernel_image"
    rm -f "$kernel_image/stamp"
    take_kernel
    make_initramfs
    printf '%s\n' "$stamp" >"$kernel_image/stamp"
}

# The package is only unpacked, because this machine does not boot it.
unpack_kernel() {
    local new=$kernel_image.new package log=$tools_state/kernel-download.log
    package=$(kernel_package)
    if [[ -z $package ]]; then
        update_kernel_lists >"$log" 2>&1 || return 1
        package=$(kernel_package)
    fi
    [[ -n $package ]] || return 1
    say "Unpacking $package below $kernel_image (once, 400 MB)"
    rm -rf "$new"
    mkdir -p "$new"
    # apt's own user may not be able to write here, so it downloads as the current user. The lists may be old.
    download_kernel "$new" "$package" >"$log" 2>&1 || {
        update_kernel_lists >"$log" 2>&1 || true
        package=$(kernel_package)
        download_kernel "$new" "$package" >>"$log" 2>&1 || return 1
    }
    dpkg-deb -x "$new"/linux-image-*.deb "$new/package" || return 1
    # Since Debian 13 the modules are in /usr/lib. depmod looks in /lib.
    [[ -d $new/package/lib ]] || ln -s usr/lib "$new/package/lib"
    rm -rf "$new"/linux-image-*.deb "$kernel_image"
    mv "$new" "$kernel_image"
}

# The name of the newest kernel package, on which linux-image-amd64 depends.
kernel_package() {
    of_kernel_suite apt-cache depends linux-image-amd64 2>/dev/null | awk '/Depends: linux-image-/ { print $2; exit }'
}

download_kernel() {
    (cd "$1" && of_kernel_suite apt-get -o APT::Sandbox::User=root -qq download "$2" </dev/null)
}

# of_kernel_suite COMMAND…: apt-get or apt-cache for the suite that the kernel is taken from.
of_kernel_suite() {
    if [[ -z $kernel_suite ]]; then "$@"; else of_suite "$kernel_suite" "$@"; fi
}

update_kernel_lists() {
    if [[ -z $kernel_suite ]]; then as_root apt-get update -qq </dev/null; else of_kernel_suite apt-get -qq update; fi
}

kernel_version() { (cd "$kernel_image/package/lib/modules" && echo *) || fail "there is no kernel in $kernel_image"; }

# The uncompressed kernel boots some seconds sooner, because unpacking is slow on an emulated processor.
take_kernel() {
    cp "$kernel_image/package/boot/vmlinuz-$(kernel_version)" "$kernel_image/vmlinuz"
    rm -f "$kernel_image/vmlinux"
    python3 "$project/tools/kernel/uncompress" "$kernel_image/vmlinuz" "$kernel_image/vmlinux" ||
        warn "the kernel's compression is not known: it boots some seconds slower"
}

# make_initramfs [BUSYBOX]: everything that must be read before the host's files are available goes into memory: over 9p
# it would take seconds. BUSYBOX is that of the machine's architecture.
make_initramfs() {
    local busybox=${1:-$(command -v busybox)} root=$kernel_image/initramfs version modules name files file module
    version=$(kernel_version)
    modules=$kernel_image/package/lib/modules/$version
    rm -rf "$root"
    mkdir -p "$root"/{bin,dev,host,modules,overlay,proc,sys}
    cp "$busybox" "$root/bin/busybox"
    cp "$project/tools/kernel/init" "$root/init"
    chmod +x "$root/init"
    busybox depmod -b "$kernel_image/package" "$version"
    for name in "${kernel_modules[@]}"; do
        files=$(module_files "$modules" "$name") || exit 1
        for file in $files; do
            module=$(basename "${file%.xz}")
            [[ -f $root/modules/$module ]] && continue
            # Unpacking is slow on an emulated processor.
            if [[ $file == *.xz ]]; then xz -dc "$modules/$file"; else cat "$modules/$file"; fi >"$root/modules/$module"
            echo "$module" >>"$root/modules/order"
        done
    done
    (cd "$root" && find . | busybox cpio -o -H newc 2>/dev/null) >"$kernel_image/initrd"
    rm -rf "$root"
}

# module_files FOLDER NAME: the module's file after those of its dependencies, which modules.dep lists in reverse. Nothing
# for a module that is part of the kernel proper: which ones are differs between versions.
module_files() {
    ! grep -q "/$2\\.ko\$" "$1/modules.builtin" || return 0
    awk -v pattern="/$2\\\\.ko(\\\\.xz)?:" '
        $0 ~ pattern { for (i = NF; i > 1; i--) print $i; sub(":", "", $1); print $1; found = 1 }
        END { exit !found }' "$1/modules.dep" || fail "Debian's kernel has no module $2; is $kernel_image complete?"
}
