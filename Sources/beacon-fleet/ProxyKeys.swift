import Console
import ESPHome
import Text
import YAMLText

/// The encryption keys of proxies: a key alone is for all, a host and a key are for one.
struct ProxyKeys {
    private var common: ProxyKey?
    private var keys: [String: ProxyKey] = [:]

    private static let longest = 64 << 10

    /// - Throws: `CommandFailure` for a file that cannot be read, with the line that is wrong. No key stands in it.
    static func read(_ path: String) throws -> ProxyKeys {
        var keys = ProxyKeys()
        let text: String
        do {
            text = try DocumentFile.text(of: path, limit: Self.longest) ?? ""
        } catch {
            throw CommandFailure.usage("--encryption-key-file: \(error)")
        }
        for (index, line) in textLines(text).enumerated() {
            let words = line.split(whereSeparator: \.isWhitespace).map(String.init)
            if words.isEmpty || words[0].hasPrefix("#") { continue }
            guard words.count <= 2, let key = ProxyKey(words[words.count - 1]) else {
                throw CommandFailure.usage(
                    "--encryption-key-file: line \(index + 1) of \(path) is neither a key of 32 bytes in base64 nor a "
                        + "host and a key")
            }
            if words.count == 2 { keys.keys[words[0]] = key } else { keys.common = key }
        }
        guard keys.common != nil || !keys.keys.isEmpty else {
            throw CommandFailure.usage("--encryption-key-file: \(path) has no key")
        }
        return keys
    }

    private init() {}

    /// Nil where the file says nothing of this proxy: it is asked without encryption.
    func key(of address: HostPort) -> ProxyKey? {
        keys[address.description] ?? keys[address.host] ?? common
    }
}
