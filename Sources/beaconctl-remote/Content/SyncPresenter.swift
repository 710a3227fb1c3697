import Console
import Content
import Events
import SiteFormat
import Synchronization
import Text

/// Shows a sync of the whole site to people and programs.
final class SyncPresenter: Sendable {
    private let isJSON: Bool
    private let line = ProgressLine()
    private let rate = Mutex(TransferRate())
    private let start = ContinuousClock.now

    /// The most lines; the rest is a summary.
    private static let shown = 20

    init(isJSON: Bool) {
        self.isJSON = isJSON
    }

    /// Shows the progress.
    func show(_ progress: SiteProgress, at instant: ContinuousClock.Instant) {
        // `print` would buffer output to a file or a pipe.
        if isJSON { return (try? ResultFile.write(ContentText.json(progress) + "\n", to: nil)) ?? () }
        let (seconds, attoseconds) = (instant - start).components
        let time = Double(seconds) + Double(attoseconds) * 1e-18
        let speed = rate.withLock { rate in
            rate.add(progress.bytes, at: time)
            return rate.text(rest: progress.totalBytes - progress.bytes)
        }
        line.show(at: time) { terminal in
            // Everything fits into 80 columns.
            let parts =
                terminal.isTerminal
                ? [
                    "\(progress.manifests)/\(progress.totalManifests)",
                    ProgressBar(terminal, width: 12).text(progress.bytes, of: progress.totalBytes), speed,
                ]
                : [
                    "\(progress.manifests) of \(progress.totalManifests) manifests",
                    "\(ByteCount.text(progress.bytes)) of \(ByteCount.text(progress.totalBytes))", speed,
                ]
            return parts.filter { !$0.isEmpty }.joined(separator: "  ")
        }
    }

    func clear() {
        line.clear()
    }

    func summary(_ summary: SyncSummary) -> String {
        isJSON ? ContentText.json(summary) : Self.text(summary)
    }

    private static func text(_ summary: SyncSummary) -> String {
        var lines: [String] = []
        func list(_ word: String, _ items: [String]) {
            lines += items.prefix(shown).map { pad(word, -9) + $0 }
            if items.count > shown { lines.append(pad(word, -9) + "… and \(items.count - shown) more") }
        }
        list("new", summary.new.sorted().map(\.description))
        list("changed", summary.updated.sorted().map(\.description))
        list("deleted", summary.deleted.map(\.description))
        list("failed", summary.failed.map { "\($0.scope): \(printable($0.error.description))" })
        lines.append(
            "\(summary.line); \(summary.fetchedAssets) files, \(ByteCount.text(summary.transferredBytes)) fetched"
                + (summary.revision.map { "; revision \($0)" } ?? "; the site has no list"))
        return lines.joined(separator: "\n")
    }
}
