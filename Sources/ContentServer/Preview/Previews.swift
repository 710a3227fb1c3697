package import Curation
import Glibc
import Platform
package import Serving
package import SiteFormat
import Text

/// Runs previews: for each account at most one daemon that walks past the drafts.
package actor Previews {
    private struct Running {
        var account: String
        var folder: PreviewFolder
        var daemon: PreviewDaemon
        var walk: PreviewWalk
        var usedAt: ContinuousClock.Instant
    }

    private let folder: String
    private let program: String?
    private let startLimit: Duration
    private let freshness: Duration
    private var running: [String: Running] = [:]
    private var isEnded = false
    private var watch: Task<Void, Never>?
    /// Accounts whose preview is being made. An actor goes on with others while one of them waits.
    private var starting: Set<String> = []
    /// Removes what an earlier run was killed over, once, before anything else is put there.
    private var sweep: Task<Void, any Error>?

    /// The most at the same time, and how long one may be without anybody who looks at it.
    static let most = 3
    static let idle = Duration.seconds(600)

    /// - Parameters:
    ///   - folder: where previews are kept as long as they run; everything in it is removed.
    ///   - program: the path of `beacond`; nil where it is not installed.
    ///   - startLimit: for how long `beacond` may start.
    ///   - freshness: a preview that was looked at within this time makes no room for another one.
    package init(
        folder: String, program: String? = OwnProgram.path(of: "beacond"), startLimit: Duration = .seconds(15),
        freshness: Duration = .seconds(30)
    ) {
        self.folder = folder
        self.program = program
        self.startLimit = startLimit
        self.freshness = freshness
    }

    /// Whether previews can be shown at all.
    package nonisolated var isInstalled: Bool { program != nil }

    /// The preview of an account; nil if none runs.
    package func preview(of account: String) -> String? {
        running.first { $0.value.account == account && !$0.value.daemon.isOver }?.key
    }

    /// Starts a preview, or gives the one that runs other content and another walk.
    ///
    /// - Parameter fill: writes the content; called on a thread of its own.
    /// - Returns: its name in paths.
    package func start(
        _ walk: PreviewWalk, for account: String, fill: @escaping @Sendable (PreviewFiller) throws -> Void
    ) async throws -> String {
        guard let program else {
            throw Refusal(
                503, "beacond is not installed on this computer, and the preview is shown by it",
                whatToDo: "install the package beacond beside beacon-content-server")
        }
        guard !isEnded else { throw Self.ending }
        // Another walk is another air. A fresh daemon also has no ranking of the walk before.
        if let name = preview(of: account) { await end(name) }
        try await makeRoom()
        guard !starting.contains(account), running.count + starting.count < Self.most else { throw Self.full }
        starting.insert(account)
        defer { starting.remove(account) }
        try await sweepOnce()
        let name = Self.newName()
        let preview = try PreviewFolder("\(folder)/\(name)")
        try await OwnThread.run {
            do {
                try preview.write(walk)
                try fill(PreviewFiller(folder: preview))
            } catch {
                preview.remove()
                throw error
            }
        }
        guard !isEnded else {
            preview.remove()
            throw Self.ending
        }
        let daemon: PreviewDaemon
        do throws(SystemFailure) {
            daemon = try PreviewDaemon(program: program, configuration: preview.configuration) { [weak self] in
                preview.remove()
                Task { await self?.forget(name) }
            }
        } catch {
            preview.remove()
            throw Refusal(503, "beacond cannot be started: \(error)", whatToDo: "try again in a moment", retryAfter: 5)
        }
        running[name] = Running(account: account, folder: preview, daemon: daemon, walk: walk, usedAt: .now)
        keepWatch()
        try await waitUntilServing(name, daemon, preview)
        return name
    }

    /// Where the daemon of a preview is asked. Counts as a look at it.
    package func socket(of name: String, for account: String) throws(Refusal) -> String {
        guard let preview = running[name], preview.account == account, !preview.daemon.isOver else {
            throw Refusal(404, "this preview has ended", whatToDo: "start it again on the page Preview")
        }
        running[name]?.usedAt = .now
        return preview.folder.socket
    }

    /// Somebody still looks at it.
    func touch(_ name: String) {
        running[name]?.usedAt = .now
    }

    /// Ends the preview of an account.
    package func stop(for account: String) async {
        if let name = preview(of: account) { await end(name) }
    }

    /// Ends all, when the server ends.
    package func endAll() async {
        isEnded = true
        watch?.cancel()
        for preview in running.values { preview.daemon.stop() }
        for name in running.keys { await end(name) }
    }

    // MARK: - Bounds

    /// Ends the one that nobody has looked at for longest, if there are too many.
    private func makeRoom() async throws(Refusal) {
        guard running.count + starting.count >= Self.most else { return }
        let oldest = running.min { $0.value.usedAt < $1.value.usedAt }
        guard let oldest, oldest.value.usedAt.duration(to: .now) > freshness else { throw Self.full }
        await end(oldest.key)
    }

    private static let full = Refusal(
        503, "\(most) others look at previews at the moment", whatToDo: "try again in a minute", retryAfter: 60)
    private static let ending = Refusal(503, "the server ends", whatToDo: "try again in a moment", retryAfter: 5)

    private func sweepOnce() async throws {
        let task = sweep ?? Task { [folder] in try await OwnThread.run { PreviewFolder.removeAll(in: folder) } }
        sweep = task
        do {
            try await task.value
        } catch {
            // The next preview tries again.
            sweep = nil
            throw error
        }
    }

    private func keepWatch() {
        guard watch == nil else { return }
        watch = Task { [weak self] in
            while (try? await Task.sleep(for: .seconds(15))) != nil {
                guard await self?.endIdle() == true else { return }
            }
        }
    }

    /// Returns whether any is left.
    private func endIdle() async -> Bool {
        for (name, preview) in running where preview.usedAt.duration(to: .now) > Self.idle { await end(name) }
        guard running.isEmpty else { return true }
        watch = nil
        return false
    }

    private func end(_ name: String) async {
        guard let preview = running[name] else { return }
        preview.daemon.stop()
        let deadline = ContinuousClock.now + .seconds(5)
        while !preview.daemon.isOver, ContinuousClock.now < deadline {
            try? await Task.sleep(for: .milliseconds(20))
            if Task.isCancelled { break }
        }
        forget(name)
    }

    private func forget(_ name: String) {
        running[name] = nil
    }

    private func waitUntilServing(_ name: String, _ daemon: PreviewDaemon, _ folder: PreviewFolder) async throws {
        let deadline = ContinuousClock.now + startLimit
        do {
            while access(folder.socket, F_OK) != 0 {
                guard !daemon.isOver, ContinuousClock.now < deadline else {
                    let lines = printable(String(daemon.lastLines.suffix(300)))
                    throw Refusal(
                        503, "beacond has not started: \(lines)", whatToDo: "try again, or look at its message")
                }
                try await Task.sleep(for: .milliseconds(50))
            }
        } catch {
            // Also where nobody waits for it any more: it would take one of the places until it is idle for long.
            daemon.stop()
            forget(name)
            throw error
        }
    }

    private static func newName() -> String {
        var generator = SystemRandomNumberGenerator()
        return String(UInt64.random(in: .min ... .max, using: &generator), radix: 36)
    }
}

/// Writes a revision into the folder of a preview.
package struct PreviewFiller: Sendable {
    let folder: PreviewFolder

    /// - Parameter asset: the path of a file of the media library.
    package func fill(_ built: BuiltRevision, asset: (AssetHash) -> String) throws(Refusal) {
        try folder.fill(built, asset: asset)
    }
}
