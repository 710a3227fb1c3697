/// The size of a file in words, such as `2.4 MB`: powers of ten, as file managers and shops write it.
enum FileSize {
    static func words(_ bytes: Int64) -> String {
        let units = ["B", "kB", "MB", "GB", "TB"]
        var size = Double(max(0, bytes))
        var unit = 0
        while size >= 1000, unit + 1 < units.count {
            size /= 1000
            unit += 1
        }
        guard unit > 0, size < 100 else { return "\(Int(size.rounded())) \(units[unit])" }
        return "\((size * 10).rounded() / 10) \(units[unit])"
    }
}
