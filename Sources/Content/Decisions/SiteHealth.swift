internal import Beacon
package import SiteFormat

/// The current problem of the site or the store, whichever part noticed it. Pure.
package struct SiteHealth {
    /// Why the list cannot be fetched or is refused.
    package private(set) var list: ContentError?
    /// Why nothing can be written.
    package var room: ContentError?
    /// Content that cannot be fetched, though the list can.
    private var content: [ContentScope: ContentError] = [:]

    /// With more than this, further failures are not remembered.
    package static let maximumContent = 1024

    package init() {}

    /// Records the result of a request for the list; nil means success.
    package mutating func listAnswered(_ error: ContentError?) {
        guard error?.code != .cancelled else { return }
        list = error
    }

    /// Records the result of a sync of a manifest's content; nil means success.
    package mutating func contentAnswered(_ scope: ContentScope, _ error: ContentError?) {
        guard let error else {
            content[scope] = nil
            return
        }
        guard error.code != .cancelled, content[scope] != nil || content.count < Self.maximumContent else { return }
        content[scope] = error
    }

    /// Forgets failures of content, because there is another list and its manifests are tried again.
    package mutating func listChanged() {
        content = [:]
    }

    /// The problem in one line; nil if there is none.
    package var problem: String? {
        if let error = list ?? room { return "\(error)" }
        guard let first = content.min(by: { $0.key < $1.key }) else { return nil }
        let others = content.count > 1 ? " (and \(content.count - 1) others)" : ""
        return "\(first.key)\(others): \(first.value)"
    }
}
