# shellcheck shell=bash
# The virtual machine: boots the kernel of image.sh with the files of a folder, and takes the result from what the guest
# writes into its lane. Sourced by tools/kernel-test, tools/systemd-test and tools/arm64-test.

: "${project:?}" "${tools_state:?}" "${kernel_image:?}"

# The script's own name, which its logs are named after.
machine_name=$(basename "$0")
lane=
qemu_pid=
# amd64 or arm64.
machine_architecture=amd64
# Set by the script: the time limit for all tests together, and the machine's size. Emulation does not get faster with a
# third processor.
: "${time_limit:?}" "${processors:?}" "${memory:?}"

# skip REASON: only if the virtual machine cannot run on this machine at all.
skip() {
    say "$machine_name skipped: $*"
    echo "0 passed, 0 failed, 1 skipped"
    exit 0
}

# need_machine: the requirements of every virtual machine here.
need_machine() {
    [[ $(uname -m) == x86_64 ]] || skip "the virtual machine is for x86_64 only; this is $(uname -m)"
    local package=qemu-system-x86
    [[ $machine_architecture == amd64 ]] || package=qemu-system-arm
    (need_packages "$package") || skip "$package cannot be installed; what apt said is above"
    command -v "$(qemu_program)" >/dev/null || skip "there is no $(qemu_program) in PATH"
    need_packages binutils busybox-static python3 xz-utils zstd
    one_at_a_time "make-${kernel_image##*/}" "$(image_function)" ||
        skip "Debian's kernel package cannot be downloaded; see $tools_state/kernel-download.log"
}

image_function() {
    if [[ $machine_architecture == arm64 ]]; then echo need_arm64_kernel_image; else echo need_kernel_image; fi
}

qemu_program() {
    if [[ $machine_architecture == arm64 ]]; then echo qemu-system-aarch64; else echo qemu-system-x86_64; fi
}

# make_lane NAME: makes the only folder that the guest can write to. It is removed when the script ends, and the machine
# is stopped.
make_lane() {
    lane=$(mktemp -d "${TMPDIR:-/tmp}/beacond-$1.XXXXXX")
    trap clean_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    # The tests run programs as an unprivileged user, who needs access.
    chmod 755 "$lane"
    mkdir -p "$lane"/{logs,programs/lib}
}

# add_programs FOLDER PROGRAM…: copies programs for the guest, stripped, with Swift's libraries, which may be in a home
# folder that only its owner can read.
add_programs() {
    local folder=$1 program library
    shift
    for program; do
        [[ -x $folder/$program ]] || fail "there is no $program in $folder; build it first (without --no-build)"
        strip -o "$lane/programs/$program" "$folder/$program"
        for library in $(ldd "$folder/$program" | awk '$3 ~ "^/" && $3 !~ "^/(usr/)?lib/" { print $3 }'); do
            [[ -e $lane/programs/lib/${library##*/} ]] || cp -L "$library" "$lane/programs/lib/"
        done
    done
}

# shellcheck disable=SC2317  # called by the trap
clean_up() {
    if [[ -n $qemu_pid ]]; then kill "$qemu_pid" 2>/dev/null || true; fi
    if [[ -n $lane ]]; then rm -rf "$lane"; fi
}

# run_guest ROOT WORD…: boots with ROOT as read-only files, and with kernel options. The tests' output comes through a
# virtual serial port and goes to standard output while they run.
run_guest() {
    local root=$1
    shift
    local kernel=$kernel_image/vmlinux
    [[ -f $kernel ]] || kernel=$kernel_image/vmlinuz
    # For speed: the mitigations protect against what does not exist here, as clearing all memory does.
    local words=(loglevel=5 panic=-1 mitigations=off init_on_alloc=0 random.trust_cpu=on nokaslr printk.devkmsg=on "$@")
    local machine
    if [[ $machine_architecture == arm64 ]]; then
        # The cores of a Raspberry Pi 4. Others are slower to emulate.
        machine=(-machine virt,gic-version=2 -cpu cortex-a72)
        words+=(console=ttyAMA0)
    else
        # Without five levels of page tables, and without the promise that copying byte by byte is fast: emulated, it is not.
        machine=(-machine pc,usb=off -cpu max,la57=off,erms=off,fsrm=off)
        words+=(console=ttyS0 reboot=t tsc=reliable no_timer_check)
    fi
    local results tee_pid
    exec {results}> >(tee "$lane/results")
    tee_pid=$!
    say "Booting Debian's kernel $(kernel_version) in QEMU"
    timeout --kill-after=5 "$time_limit" "$(qemu_program)" \
        -nodefaults -no-user-config -no-reboot -display none -nic none \
        "${machine[@]}" -accel tcg,thread=multi -smp "$processors" -m "$memory" \
        -kernel "$kernel" -initrd "$kernel_image/initrd" -append "${words[*]}" \
        -serial "file:$lane/console" \
        -fsdev "local,id=host,path=$root,security_model=none,readonly=on,multidevs=remap" \
        -device virtio-9p-pci,fsdev=host,mount_tag=host \
        -fsdev "local,id=lane,path=$lane,security_model=none" \
        -device virtio-9p-pci,fsdev=lane,mount_tag=lane \
        -device virtio-rng-pci -device virtio-serial-pci \
        -add-fd "fd=$results,set=1" -chardev file,id=results,path=/dev/fdset/1,append=on \
        -device virtserialport,chardev=results,name=results \
        >"$lane/qemu.log" 2>&1 </dev/null &
    qemu_pid=$!
    local status=0
    wait "$qemu_pid" || status=$?
    qemu_pid=
    exec {results}>&-
    wait "$tee_pid"
    return "$status"
}

# test_in_guest ROOT WORD…: runs the whole test and ends the script.
test_in_guest() {
    local began=$SECONDS status=0
    run_guest "$@" || status=$?
    if has_panicked; then
        warn "the guest's kernel has panicked: $(panic_words). Emulation may have done that; booting once more"
        mv "$lane/console" "$lane/logs/kernel-before.log"
        status=0
        run_guest "$@" || status=$?
    fi
    keep_logs
    say "The virtual machine ran for $((SECONDS - began)) s"
    judge "$status"
}

# Under emulation a kernel has panicked while it booted ("Oops: int3", where it replaces its own instructions). A panic
# that our programs cause comes again.
has_panicked() {
    [[ ! -f $lane/status ]] && grep -aqs 'Kernel panic' "$lane/console"
}

# The first words of the fault, which are some lines above the panic.
panic_words() {
    grep -aoEm 1 '(Oops|BUG|Kernel panic)[^[:cntrl:]]*' "$lane/console" || true
}

keep_logs() {
    local logs=$tools_state/$machine_name/logs
    # A test that runs once more alone must not wipe away why.
    rm -rf "$logs.before"
    [[ ! -d $logs ]] || mv "$logs" "$logs.before"
    mkdir -p "$logs"
    cp -r "$lane/logs/." "$logs/"
    cp "$lane/console" "$logs/kernel.log" 2>/dev/null || true
}

# judge STATUS: takes QEMU's status. The guest's last line is the sum.
judge() {
    local guest=
    [[ ! -f $lane/status ]] || guest=$(<"$lane/status")
    case $guest in
    0) exit 0 ;;
    1)
        say "What failed tests printed is below $tools_state/$machine_name/logs"
        exit 1
        ;;
    esac
    tail -n 30 "$lane/console" "$lane/qemu.log" >&2 || true
    if (($1 == 124)); then
        warn "the tests were not through after $time_limit s"
    else
        warn "the virtual machine ended early (QEMU's status $1, the guest's '$guest'); its last messages are above"
    fi
    # So that scripts that add up counts see a failure.
    echo "$(grep -c '^ok' "$lane/results" || true) passed, $(($(grep -c '^FAIL' "$lane/results" || true) + 1)) failed"
    exit 1
}

