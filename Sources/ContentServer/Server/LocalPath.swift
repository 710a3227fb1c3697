/// Paths to which a browser may be led.
package enum LocalPath {
    /// The path itself if it stays on this server; otherwise `/`. Browsers read `//host` and `/\host` as another host,
    /// and drop tabs and line ends.
    package static func checked(_ path: String) -> String {
        let octets = Array(path.utf8)
        guard octets.first == UInt8(ascii: "/"), octets.count <= 2000,
            octets.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }),
            octets.count < 2 || octets[1] != UInt8(ascii: "/")
        else { return "/" }
        return path
    }
}
