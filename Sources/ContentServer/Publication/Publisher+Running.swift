import Beacon
import CurationStore
import Logging
import Platform
import Publishing
import Text

extension Publisher {
    /// Follows other processes, the schedule and the static folder until it is cancelled.
    package func run() async {
        var problems = Problems()
        var folder = FolderFollower()
        // What fails may have built the whole site first.
        var (backoff, due) = (Backoff(longest: 300), ContinuousClock.now)
        while !Task.isCancelled {
            if ContinuousClock.now >= due {
                do {
                    try await refresh()
                    if try await publishIfDue() {
                        logger.info("a revision was published at its set time", metadata: ["revision": "\(number)"])
                    }
                    problems.end()
                    backoff.reset()
                } catch {
                    if problems.begin(error.explanation) { logger.error("publishing: \(error.explanation)") }
                    due = .now + .seconds(backoff.next())
                }
            }
            if let site, folder.wants(site.revision.number, at: SteadyClock.elapsed) {
                await publishFolder(site, &folder)
            }
            try? await Task.sleep(for: .seconds(1))
        }
    }

    private var number: Int64 { site?.revision.number ?? 0 }

    private func publishFolder(_ site: PublishedSite, _ follower: inout FolderFollower) async {
        guard let folder else { return }
        let number = site.revision.number
        let (media, moment) = (media, now())
        do {
            let outcome = try await OwnThread.run { try folder.publish(site.built, at: moment, media: media) }
            follower.holds(number, at: SteadyClock.elapsed)
            setFolderState(.holds(revision: number))
            logger.info(
                "revision \(number) is in \(folder.path)",
                metadata: ["written": "\(outcome.written)", "removed": "\(outcome.removed)"])
        } catch {
            let problem = (error as? any ExplainedError)?.explanation ?? "\(error)"
            follower.failed(number, at: SteadyClock.elapsed)
            if folderState != .failed(revision: number, problem: problem) {
                logger.error("revision \(number) cannot be put into \(folder.path): \(problem)")
            }
            setFolderState(.failed(revision: number, problem: problem))
        }
    }
}

/// The same problem is logged once until it has ended.
private struct Problems {
    private var last: String?

    mutating func begin(_ text: String) -> Bool {
        defer { last = text }
        return last != text
    }

    mutating func end() { last = nil }
}
