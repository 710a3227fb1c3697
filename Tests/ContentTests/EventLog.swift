import Content
import SiteFormat
import Testing

/// Collects the events of a sync client, and waits for them.
actor EventLog {
    private(set) var all: [ContentEvent] = []
    private var position = 0
    private var waiter: (match: @Sendable (ContentEvent) -> Bool, continuation: CheckedContinuation<Void, Never>)?
    private var isOver = false

    struct Missing: Error, CustomStringConvertible {
        var description: String
    }

    init(_ stream: AsyncStream<ContentEvent>) {
        Task {
            for await event in stream { await self.add(event) }
            await self.finish()
        }
    }

    /// The next event that matches; those before it are passed over.
    func next(
        _ what: String, _ match: @escaping @Sendable (ContentEvent) -> Bool
    ) async throws -> ContentEvent {
        if let event = take(match) { return event }
        let limit = Task {
            guard (try? await Task.sleep(for: .seconds(300))) != nil else { return }
            self.wake()
        }
        if !isOver {
            await withCheckedContinuation { waiter = (match, $0) }
        }
        limit.cancel()
        guard let event = take(match) else { throw Missing(description: "no \(what) in \(all)") }
        return event
    }

    /// Waits for the end of the stream.
    func end() async throws {
        _ = try? await next("end") { _ in false }
        guard isOver else { throw Missing(description: "the events do not end") }
    }

    private func take(_ match: (ContentEvent) -> Bool) -> ContentEvent? {
        guard let index = all[position...].firstIndex(where: match) else { return nil }
        position = index + 1
        return all[index]
    }

    private func add(_ event: ContentEvent) {
        all.append(event)
        if let waiter, waiter.match(event) { wake() }
    }

    private func finish() {
        isOver = true
        wake()
    }

    private func wake() {
        waiter?.continuation.resume()
        waiter = nil
    }
}

extension EventLog {
    func ready() async throws -> ContentSummary {
        let event = try await next("ready") { if case .ready = $0 { true } else { false } }
        guard case .ready(_, let summary) = event else { throw Missing(description: "ready") }
        return summary
    }

    func failure() async throws -> (error: ContentError, stillHasOld: Bool) {
        let event = try await next("failed") { if case .failed = $0 { true } else { false } }
        guard case .failed(_, let error, let stillHasOld) = event else { throw Missing(description: "failed") }
        return (error, stillHasOld)
    }

    func nothing() async throws {
        _ = try await next("nothing") { if case .nothing = $0 { true } else { false } }
    }

    func recovered() async throws {
        _ = try await next("recovered") { if case .recovered = $0 { true } else { false } }
    }

    /// Expects that so many failures were told so far; shows them if not.
    func expectFailures(_ count: Int, sourceLocation: SourceLocation = #_sourceLocation) {
        let failures = all.compactMap { if case .failed(_, let error, _) = $0 { error } else { nil } }
        #expect(failures.count == count, "\(failures)", sourceLocation: sourceLocation)
    }
}
