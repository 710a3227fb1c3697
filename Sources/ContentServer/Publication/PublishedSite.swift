package import Curation
package import CurationStore
import Publishing
package import SiteFormat

/// The current revision, held in memory for its readers.
package struct PublishedSite: Sendable {
    package let revision: Revision
    package let built: BuiltRevision
    /// The hash of the list, under which its signature is.
    package let listHash: AssetHash
    /// Bytes of everything that a device with the whole site holds.
    package let bytes: Int64
    var scheduled: ScheduledRevisions

    init(_ revision: Revision, _ built: BuiltRevision, _ schedule: SiteSchedule) {
        self.revision = revision
        self.built = built
        listHash = AssetHash(of: built.list)
        bytes = built.assets.values.reduce(0) { $0 + $1.bytes }
        scheduled = ScheduledRevisions(schedule: schedule, settledAt: revision.at)
    }
}

/// A file of the published site.
package enum PublishedFile: Hashable, Sendable {
    /// A list, manifest or signature.
    ///
    /// - isImmutable: its path names its content.
    case bytes([UInt8], hash: AssetHash, isImmutable: Bool)
    /// A file of the media library, which is its hash's.
    case media(path: String, hash: AssetHash, BuiltAsset)
}
