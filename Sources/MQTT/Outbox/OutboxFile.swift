package import Broker
import Glibc
import Platform

/// Stores an outbox on disk. What was passed to `append` survives the end of the process, however it ends.
///
/// Blocks its caller. If the disk fails, the outbox continues in memory, and the file is rewritten as soon as possible.
package struct OutboxFile: ~Copyable {
    package let path: String
    private var descriptor: Int32 = -1
    /// Bytes in the file.
    private var size = 0
    /// The last settled sequence that is written in the file.
    private var settled: UInt64 = 0
    private var synchronized: ContinuousClock.Instant?
    /// Why the file is incomplete: the disk failed.
    package private(set) var problem: String?

    /// A larger file cannot be an outbox.
    private static let limit = 256 << 20
    /// Below this size, settled lines are not worth a new file.
    private static let slack = 256 << 10

    package init(path: String) {
        self.path = path
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
    }

    /// Reads the file; invalid lines are counted and skipped. No file is an empty outbox.
    ///
    /// - Throws: if there is a file that cannot be read. It must not be replaced then: events wait in it.
    package func read() throws(BrokerProblem) -> OutboxJournal.Contents {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            if errno == ENOENT || errno == ENOTDIR { return OutboxJournal.Contents() }
            throw unreadable()
        }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 65536)
        while bytes.count < Self.limit {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable() }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return OutboxJournal.contents(of: bytes)
    }

    /// Call it before errno changes.
    private func unreadable() -> BrokerProblem {
        let failure = SystemFailure()
        let remedy =
            failure.code == EACCES
            ? InstalledService.daemon.toRead(path) : "mend the disk, or remove the file: the events in it are then lost"
        return BrokerProblem("\(path), in which events wait, cannot be read: \(failure); \(remedy)")
    }

    /// Writes new entries, which are already in the outbox.
    package mutating func append(_ entries: [Outbox.Entry], of outbox: Outbox) {
        guard !entries.isEmpty else { return }
        if descriptor < 0 || problem != nil || isWasteful(outbox) {
            rewrite(outbox)
        } else {
            write(entries.map(OutboxJournal.line).joined())
        }
    }

    /// Records what the broker has acknowledged, if that is more than before.
    package mutating func settle(_ outbox: Outbox) {
        let sequence = (outbox.entries.first?.sequence ?? outbox.nextSequence) - 1
        guard sequence > settled, descriptor >= 0, problem == nil else { return }
        if isWasteful(outbox) {
            rewrite(outbox)
        } else {
            write(OutboxJournal.settled(sequence, lastEvent: outbox.lastEvent))
            settled = sequence
        }
    }

    /// Protects the present content against a power cut; at most every two seconds, to spare memory cards.
    mutating func synchronize(at now: ContinuousClock.Instant) {
        if let synchronized, now - synchronized < .seconds(2) { return }
        synchronized = now
        if descriptor >= 0 { fdatasync(descriptor) }
    }

    private func isWasteful(_ outbox: Outbox) -> Bool {
        size > 2 * outbox.bytes + Self.slack
    }

    /// Replaces the file atomically.
    package mutating func rewrite(_ outbox: Outbox) {
        AtomicFile.makeFolder(of: path, permissions: 0o755)
        let text = OutboxJournal.text(outbox)
        do {
            try AtomicFile.replace(path, with: text, rights: .permissions(0o600))
        } catch {
            return fail("cannot be written", error)
        }
        let file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC)
        guard file >= 0 else { return fail("cannot be opened", SystemFailure()) }
        if descriptor >= 0 { close(descriptor) }
        descriptor = file
        size = text.utf8.count
        settled = (outbox.entries.first?.sequence ?? outbox.nextSequence) - 1
        problem = nil
    }

    private mutating func write(_ text: String) {
        do {
            try AtomicFile.write(text, to: descriptor)
            size += text.utf8.count
        } catch {
            fail("cannot be written", error)
            // Removes an incomplete line, so that later lines start correctly.
            ftruncate(descriptor, off_t(size))
        }
    }

    private mutating func fail(_ what: String, _ reason: SystemFailure) {
        problem = "\(path) \(what): \(reason)"
    }
}
