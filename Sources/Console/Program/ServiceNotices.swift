/// The notifications that systemd has not received yet, in order. Only the newest of each kind is kept, so that there
/// are never many.
package struct ServiceNotices {
    package enum Kind: CaseIterable, Sendable {
        case ready, reloading, stopping, status, alive
    }

    private var waiting: [(kind: Kind, text: String)] = []
    private var isSending = false

    package init() {}

    /// - Returns: whether sending has to be started.
    package mutating func add(_ kind: Kind, _ text: String) -> Bool {
        waiting.removeAll { $0.kind == kind }
        waiting.append((kind, text))
        defer { isSending = true }
        return !isSending
    }

    /// The next text; nil ends the sending.
    package mutating func next() -> String? {
        isSending = !waiting.isEmpty
        return waiting.isEmpty ? nil : waiting.removeFirst().text
    }
}
