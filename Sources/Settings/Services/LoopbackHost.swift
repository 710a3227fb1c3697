/// Hosts that are this computer itself, so that nobody listens on the way there.
package enum LoopbackHost {
    package static func isMeant(by host: String) -> Bool {
        let host = host.lowercased()
        return host == "localhost" || host.hasSuffix(".localhost") || host == "::1"
            || (host.hasPrefix("127.") && host.allSatisfy { $0.isASCII && $0.isNumber || $0 == "." })
    }
}
