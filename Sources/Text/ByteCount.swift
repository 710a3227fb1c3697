/// Sizes for people, in binary units.
package enum ByteCount {
    package static func text(_ bytes: Int64) -> String {
        var value = Double(bytes)
        for unit in ["B", "KiB", "MiB"] {
            if value < 1024 { return unit == "B" ? "\(bytes) B" : fixed(value, digits: 1) + " \(unit)" }
            value /= 1024
        }
        return fixed(value, digits: 1) + " GiB"
    }
}
