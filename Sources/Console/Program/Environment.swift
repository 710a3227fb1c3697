import Glibc

/// The process's environment, read without Foundation.
package enum Environment {
    package static var variables: [String: String] {
        var variables: [String: String] = [:]
        var entry: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = environ
        while let text = entry?.pointee {
            // By octets: a value may begin with an accent.
            let parts = String(cString: text).utf8.split(
                separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { variables[String(Substring(parts[0]))] = String(Substring(parts[1])) }
            entry = entry?.advanced(by: 1)
        }
        return variables
    }
}
