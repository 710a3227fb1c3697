import Glibc

/// Whether an adapter is switched off by rfkill, from /sys/class/rfkill (Linux, Documentation/ABI/stable/sysfs-class-rfkill).
enum RadioSwitch {
    enum Block {
        /// By software: `rfkill unblock bluetooth` ends it.
        case soft
        /// By a switch on the device.
        case hard
    }

    static func block(of adapter: String) -> Block? {
        guard let folder = opendir("/sys/class/rfkill") else { return nil }
        defer { closedir(folder) }
        while let entry = readdir(folder) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix("rfkill"), line("\(name)/name") == adapter else { continue }
            if line("\(name)/hard") == "1" { return .hard }
            if line("\(name)/soft") == "1" { return .soft }
        }
        return nil
    }

    private static func line(_ path: String) -> String? {
        guard let file = fopen("/sys/class/rfkill/" + path, "re") else { return nil }
        defer { fclose(file) }
        var buffer = [CChar](repeating: 0, count: 64)
        guard fgets(&buffer, Int32(buffer.count), file) != nil else { return nil }
        let text = String(decoding: buffer.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
        return String(text.prefix { $0 != "\n" })
    }
}
