/// Whether an adapter is switched off by rfkill, from /sys/class/rfkill
/// (Linux, Documentation/ABI/stable/sysfs-class-rfkill).
package enum RadioSwitch {
    package enum Block {
        /// By software: `rfkill unblock bluetooth` ends it.
        case soft
        /// By a switch on the device.
        case hard
    }

    package static func block(of adapter: String) -> Block? {
        let folder = "/sys/class/rfkill"
        for name in KernelFiles.names(in: folder) where KernelFiles.lines("\(folder)/\(name)/name") == [adapter] {
            if KernelFiles.lines("\(folder)/\(name)/hard") == ["1"] { return .hard }
            if KernelFiles.lines("\(folder)/\(name)/soft") == ["1"] { return .soft }
        }
        return nil
    }
}
