import Glibc
import Platform
import Radio

/// Whether the clock is synchronised. Time stamps, TLS and reports need that.
enum ClockProbe {
    static func finding() -> Finding {
        guard let isSynchronised = KernelClock.isSynchronised else {
            return Finding("clock", .warning, "its state cannot be read")
        }
        guard isSynchronised else {
            return Finding(
                "clock", .warning, "is not synchronised", remedy: "run: sudo timedatectl set-ntp true")
        }
        return Finding("clock", .ok, "is synchronised")
    }
}
