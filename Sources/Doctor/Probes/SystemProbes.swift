import CLinux
import Glibc
import Radio

/// Whether the clock is synchronised, which time stamps, TLS and reports need. adjtimex(2).
enum ClockProbe {
    static func finding() -> Finding {
        var state = timex()
        let result = adjtimex(&state)
        guard result >= 0 else { return Finding("clock", .warning, "its state cannot be read") }
        // STA_UNSYNC: the clock is not synchronised.
        guard state.status & 0x0040 == 0 else {
            return Finding(
                "clock", .warning, "is not synchronised", remedy: "run: sudo timedatectl set-ntp true")
        }
        return Finding("clock", .ok, "is synchronised")
    }
}
