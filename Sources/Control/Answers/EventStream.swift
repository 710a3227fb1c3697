package import NIOCore
package import Serving

/// Server-sent events (HTML Living Standard, section 9.2): a stream that only its client ends.
package enum EventStream {
    /// The interval of keep-alive comments: proxies and clients treat silence as an end.
    private static let keepAlive = Duration.seconds(15)

    /// The number of the last event that a client has; nil for "from now on".
    ///
    /// - Throws: `Refusal` if it is not a number.
    package static func lastEvent(of request: ControlRequest) throws(Refusal) -> UInt64? {
        // A reconnecting browser sends the last id that it has; the id in the query is older.
        let last = request.field("last-event-id").flatMap { UInt64($0) }
        if let last { return last }
        return try request.number("after", in: 0...UInt64(1) << 53)
    }

    /// One message. JSON has no line ends, so one data line is enough.
    package static func message(_ kind: String, id: UInt64? = nil, data: String) -> String {
        (id.map { "id: \($0)\n" } ?? "") + "event: \(kind)\ndata: \(data)\n\n"
    }

    /// An answer that continues until its client leaves.
    ///
    /// - Parameters:
    ///   - begin: called once. Returns a closure that waits for the next batch, and returns nil at the end. A
    ///     cancelled wait must lose nothing.
    ///   - pieces: turns a batch into messages.
    package static func answer<Batch: Sendable>(
        _ begin: @escaping @Sendable () -> (@Sendable () async -> Batch?),
        pieces: @escaping @Sendable (Batch) async throws -> [ByteBuffer]
    ) -> ControlAnswer {
        ControlAnswer(
            mediaType: "text/event-stream",
            fields: ["Cache-Control": "no-store", "X-Accel-Buffering": "no"],
            body: .stream { output in
                let departure = Departure()
                output.whenGone { departure.note() }
                try await output.write("retry: 1000\n\n")
                let next = begin()
                while true {
                    switch await news(next, departure) {
                    case .batch(let batch): try await output.write(try await pieces(batch))
                    case .silence: try await output.write(": alive\n\n")
                    case .over: return
                    }
                }
            })
    }

    private enum News<Batch: Sendable>: Sendable {
        case batch(Batch)
        case silence
        case over
    }

    /// New events, a keep-alive after a long silence, or the end.
    private static func news<Batch: Sendable>(
        _ next: @escaping @Sendable () async -> Batch?, _ departure: Departure
    ) async -> News<Batch> {
        await withTaskGroup(of: News<Batch>.self) { group in
            group.addTask { await next().map { .batch($0) } ?? .over }
            group.addTask { (try? await Task.sleep(for: keepAlive)) == nil ? .over : .silence }
            group.addTask {
                await departure.wait()
                return .over
            }
            let first = await group.next() ?? .over
            group.cancelAll()
            // Events that were read must be sent, even if the keep-alive was due at the same time.
            for await other in group {
                if case .silence = first, case .batch = other { return other }
            }
            return first
        }
    }
}
