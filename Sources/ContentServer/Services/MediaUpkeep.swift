import Beacon
import Curation
import CurationStore
import Logging
import Media
import Platform
import Synchronization
import Text

/// Removes what is too old, and files of the media library that nothing needs any more, and says at the start whether
/// pictures can be decoded.
package struct MediaUpkeep: Sendable {
    private let services: CuratorServices
    private let logger: Logger
    private let doubt = Doubt()

    /// Whether the clock can be trusted so far that something is deleted by it.
    private final class Doubt: Sendable {
        struct State {
            var trust: ClockTrust?
            var isTold = false
        }

        let state = Mutex(State())
    }

    private static let interval = Duration.seconds(3600)

    /// In seconds. What curators have made cannot be recorded again, and deleting it is never urgent: a server that was
    /// off for a week is believed at once, and another clock after a day.
    private static let (largestStep, patience) = (7 * 86_400.0, 86_400.0)

    package init(_ services: CuratorServices) {
        self.services = services
        logger = Logger(label: "beacon-content-server")
    }

    /// Goes on until its task is cancelled.
    package func run() async {
        do {
            let protections = try await services.media.helperProtections()
            logger.info("pictures are decoded with \(protections)")
        } catch {
            logger.warning("\(error)")
        }
        repeat { await sweep() } while (try? await Task.sleep(for: Self.interval)) != nil
    }

    /// Removes what is too old and what nothing needs. Called at the start and every hour.
    package func sweep() async {
        let now = services.now()
        var isTrusted = false
        do {
            isTrusted = try await trusts(now)
            try await services.store.tidy(at: isTrusted ? now : nil)
        } catch {
            logger.warning("what is too old stays: \(error)")
        }
        // The ages of files are by the same clock.
        guard isTrusted else { return }
        do {
            let freed = try await services.media.sweep(needed: try await services.store.neededAssets())
            if freed > 0 { logger.info("removed \(ByteCount.text(freed)) of files that nothing needs") }
        } catch {
            logger.warning("files that nothing needs stay: \(error)")
        }
    }

    /// Not while the clock is suddenly far ahead of what is stored.
    private func trusts(_ now: Moment) async throws(StoreError) -> Bool {
        if doubt.state.withLock({ $0.trust == nil }) {
            let limit = Moment(now.time.advanced(bySeconds: -Self.patience))
            let record = try await services.store.newestRecord(upTo: limit)
            // A clock by which something was removed was trusted then, however short ago. Where nobody changes
            // anything and no device reports, nothing else is known of it.
            let settled = [record, try await services.store.lastTidying()].compactMap(\.self).max()
            let trust = ClockTrust(
                newest: nil, settled: settled?.time, largestStep: Self.largestStep, patience: Self.patience)
            doubt.state.withLock { $0.trust = trust }
        }
        let (isTrusted, isNew) = doubt.state.withLock { state in
            let isTrusted = state.trust?.allowsDeletingOld(at: now.time) ?? false
            let isNew = !isTrusted && !state.isTold
            state.isTold = !isTrusted
            return (isTrusted, isNew)
        }
        if isNew {
            logger.warning(
                """
                the clock is more than a week ahead of the last change, report and removal: nothing is removed for its \
                age until the server has run for a day; if the clock is wrong, set it: run 'timedatectl'
                """)
        }
        return isTrusted
    }
}
