import CurationStore
import Logging
import Media
import Text

/// Removes files of the media library that nothing needs any more, and says at the start whether pictures can be
/// decoded.
package struct MediaUpkeep: Sendable {
    private let services: CuratorServices
    private let logger: Logger

    private static let interval = Duration.seconds(3600)

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
        do {
            try await services.store.tidy(at: services.now())
        } catch {
            logger.warning("what is too old stays: \(error)")
        }
        do {
            let freed = try await services.media.sweep(needed: try await services.store.neededAssets())
            if freed > 0 { logger.info("removed \(ByteCount.text(freed)) of files that nothing needs") }
        } catch {
            logger.warning("files that nothing needs stay: \(error)")
        }
    }
}
