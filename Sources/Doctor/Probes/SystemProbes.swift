import CLinux
import Glibc
import Radio

/// Whether the clock is right, which time stamps, TLS and reports need. adjtimex(2).
enum ClockProbe {
    static func finding() -> Finding {
        var state = timex()
        let result = adjtimex(&state)
        guard result >= 0 else { return Finding("clock", .warning, "its state cannot be read") }
        // STA_UNSYNC: nothing keeps the clock right.
        guard state.status & 0x0040 == 0 else {
            return Finding(
                "clock", .warning, "is not synchronised", remedy: "run: sudo timedatectl set-ntp true")
        }
        return Finding("clock", .ok, "is synchronised")
    }
}

/// Whether the content site's host takes connections.
enum SiteProbe {
    static func finding(_ baseURL: String) -> Finding {
        guard let (host, port) = address(of: baseURL) else {
            return Finding("content site", .failure, "\(baseURL) is no http or https URL")
        }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let result = getaddrinfo(host, port, &hints, &list)
        guard result == 0 else {
            return Finding(
                "content site", .failure, "\(host) has no address: \(String(cString: gai_strerror(result)))",
                remedy: "check the name and the network")
        }
        defer { freeaddrinfo(list) }
        var reason = "no address"
        var entry = list
        while let address = entry?.pointee {
            if let problem = connect(address) { reason = problem } else {
                return Finding("content site", .ok, "\(host):\(port) takes connections")
            }
            entry = address.ai_next
        }
        return Finding(
            "content site", .failure, "\(host):\(port) cannot be reached: \(reason)",
            remedy: "check that the server runs and the network is there; stored content goes on to be shown")
    }

    /// Returns why no connection could be made within five seconds, or nil.
    private static func connect(_ address: addrinfo) -> String? {
        let descriptor = socket(address.ai_family, address.ai_socktype | Int32(SOCK_NONBLOCK.rawValue), 0)
        guard descriptor >= 0 else { return String(cString: strerror(errno)) }
        defer { close(descriptor) }
        if Glibc.connect(descriptor, address.ai_addr, address.ai_addrlen) == 0 { return nil }
        guard errno == EINPROGRESS else { return String(cString: strerror(errno)) }
        var watched = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        guard poll(&watched, 1, 5000) == 1 else { return "no answer within 5 s" }
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length)
        return code == 0 ? nil : String(cString: strerror(code))
    }

    private static func address(of url: String) -> (host: String, port: String)? {
        let schemes = ["http://": "80", "https://": "443"]
        guard let (scheme, port) = schemes.first(where: { url.lowercased().hasPrefix($0.key) }) else { return nil }
        let authority = url.dropFirst(scheme.count).prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.isEmpty else { return nil }
        if authority.hasPrefix("["), let end = authority.firstIndex(of: "]") {
            let rest = authority[authority.index(after: end)...]
            return (String(authority.dropFirst().prefix { $0 != "]" }), rest.hasPrefix(":") ? String(rest.dropFirst()) : port)
        }
        let parts = authority.split(separator: ":", maxSplits: 1)
        return (String(parts[0]), parts.count > 1 ? String(parts[1]) : port)
    }
}
