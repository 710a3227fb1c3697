import Foundation

/// A connection as a stranger may use it: any octets can be sent, and nothing is read that is not asked for.
///
/// Waiting blocks no thread of the cooperative pool. One task uses it.
package final class RawConnection {
    private let descriptor: CInt
    /// What came so far.
    package internal(set) var received: [UInt8] = []
    /// The other side has ended.
    package private(set) var isOver = false

    package init(unix path: String) throws {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        try Self.expectConnected(withUnixAddress(path: path) { connect(descriptor, $0, $1) })
    }

    /// To the loopback address.
    package init(port: Int) throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        self.descriptor = descriptor
        try Self.expectConnected(withLoopbackAddress(port: UInt16(port)) { connect(descriptor, $0, $1) })
    }

    /// - Parameter result: of connect(2), just called.
    private static func expectConnected(_ result: Int32) throws {
        guard result == 0 else {
            throw RunningProgram.Failure(description: "cannot connect: \(String(cString: strerror(errno)))")
        }
    }

    deinit {
        close(descriptor)
    }

    /// Sends all of it, or as much as the other side takes in a long time.
    package func send(_ octets: some Collection<UInt8>) async {
        var rest = Array(octets)[...]
        var time = PollLimit(.seconds(30))
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes {
                Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL) | Int32(MSG_DONTWAIT))
            }
            if count > 0 {
                rest = rest.dropFirst(count)
            } else if errno == EAGAIN, !time.isOver() {
                try? await Task.sleep(for: .milliseconds(10))
            } else {
                return
            }
        }
    }

    package func send(_ text: String) async {
        await send(Array(text.utf8))
    }

    /// No more will be sent.
    package func finish() {
        shutdown(descriptor, Int32(SHUT_WR))
    }

    /// The other side sends no more, or has reset the connection. Nothing is read.
    package var hasEnded: Bool {
        var entry = pollfd(fd: descriptor, events: Int16(0x2000), revents: 0)  // POLLRDHUP
        return poll(&entry, 1, 0) == 1
    }

    /// Takes what there is.
    package func read() {
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while !isOver {
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                received += buffer[..<count]
            } else if count == 0 || errno != EAGAIN && errno != EINTR {
                isOver = true
            } else if errno == EAGAIN {
                return
            }
        }
    }

    package var text: String { String(decoding: received, as: UTF8.self) }

    /// Reads until there is what is waited for; that it does not come is an error.
    package func waitUntil(
        _ what: String, within limit: Duration = longestWait, _ condition: (RawConnection) throws -> Bool
    ) async throws {
        var time = PollLimit(limit)
        while true {
            let wasOver = isOver
            read()
            if try condition(self) { return }
            guard !wasOver, !time.isOver() else {
                throw RunningProgram.Failure(
                    description: (wasOver ? "the connection ended before " : "waited \(limit) until ")
                        + "\(what); it has sent:\n\(text.prefix(2000))")
            }
            try await Task.sleep(for: .milliseconds(10))
        }
    }
}

/// A response of HTTP/1.1 with a known length, in chunks, or to the end of the connection.
package struct RawResponse: Sendable {
    package var status: Int
    /// By name in lower case.
    package var fields: [String: String]
    package var body: [UInt8]

    package var text: String { String(decoding: body, as: UTF8.self) }

    /// Nil while it is not complete.
    package init?(_ octets: [UInt8], isOver: Bool, toHead: Bool = false) {
        guard
            let end = octets.indices.dropLast(3).first(where: { octets[$0..<$0 + 4].elementsEqual([13, 10, 13, 10]) })
        else { return nil }
        let lines = String(decoding: octets[..<end], as: UTF8.self).components(separatedBy: "\r\n")
        let words = lines[0].split(separator: " ")
        guard words.count >= 2, let status = Int(words[1]) else { return nil }
        self.status = status
        fields = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            fields[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        body = Array(octets[(end + 4)...])
        if toHead || status == 304 || status == 204 { return }
        if fields["transfer-encoding"] == "chunked" {
            guard let whole = Self.joined(body[...]) else { return nil }
            body = whole
            return
        }
        guard let length = fields["content-length"].flatMap({ Int($0) }) else {
            if isOver { return }
            return nil
        }
        guard body.count >= length else { return nil }
    }

    /// The bytes of all chunks; nil while the last one is missing.
    private static func joined(_ octets: ArraySlice<UInt8>) -> [UInt8]? {
        var (rest, whole) = (octets, [UInt8]())
        while let end = rest.firstIndex(of: 13), rest.count >= end - rest.startIndex + 4 {
            let line = String(decoding: rest[..<end], as: UTF8.self)
            guard let count = Int(line, radix: 16) else { return nil }
            if count == 0 { return whole }
            rest = rest[(end + 2)...]
            guard rest.count >= count + 2 else { return nil }
            whole += rest.prefix(count)
            rest = rest.dropFirst(count + 2)
        }
        return nil
    }

    /// The value of a key of a JSON object.
    package subscript(key: String) -> String? {
        let object = (try? JSONSerialization.jsonObject(with: Data(body))) as? [String: Any]
        return object?[key].map { "\($0)" }
    }
}

extension RawConnection {
    /// Asks for something, and waits for the answer.
    package func ask(
        _ path: String, method: String = "GET", fields: [String] = ["Host: localhost"], body: String = "",
        octets: [UInt8] = []
    ) async throws -> RawResponse {
        received = []
        let head = "\(method) \(path) HTTP/1.1\r\n" + fields.map { "\($0)\r\n" }.joined() + "\r\n"
        await send(Array((head + body).utf8) + octets)
        var response: RawResponse?
        try await waitUntil("\(path) is answered") { connection in
            response = RawResponse(connection.received, isOver: connection.isOver, toHead: method == "HEAD")
            return response != nil
        }
        guard let response else { throw RunningProgram.Failure(description: "no answer to \(path)") }
        return response
    }
}

/// Server-sent events as they are read from a connection, chunked transfer coding included.
package struct RawEvents {
    package let ids: [UInt64]
    package let kinds: [String]
    package let data: [String]

    /// Of what has come so far: an event counts when the empty line after it has come, too.
    package init(_ connection: RawConnection) {
        let text = connection.text.replacingOccurrences(of: "\r\n", with: "\n")
        let end = text.range(of: "\n\n", options: [.backwards, .literal])?.lowerBound ?? text.startIndex
        // Chunks are whole writes here, and what stands between them is no field.
        let lines = text[..<end].split(separator: "\n")
        func values(_ name: String) -> [String] {
            lines.filter { $0.hasPrefix(name + ": ") }.map { String($0.dropFirst(name.count + 2)) }
        }
        ids = values("id").compactMap { UInt64($0) }
        kinds = values("event")
        data = values("data")
    }
}

extension RawConnection {
    /// What was read need not be kept.
    package func forget() {
        received = []
    }
}
