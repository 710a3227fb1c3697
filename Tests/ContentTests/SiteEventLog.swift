import Content
import SiteFormat

/// Collects the events of a site.
actor SiteEventLog {
    private(set) var all: [SiteEvent] = []
    private var collecting: Task<Void, Never>?

    init(_ stream: AsyncStream<SiteEvent>) async {
        collecting = Task { for await event in stream { self.add(event) } }
    }

    private func add(_ event: SiteEvent) { all.append(event) }

    /// Waits for the end of the stream.
    func end() async { await collecting?.value }

    /// How often it was told that the disk is full.
    var fullDisks: Int {
        all.count { if case .refused(let error) = $0 { error.code == .diskFull } else { false } }
    }
}
