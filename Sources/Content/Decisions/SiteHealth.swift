internal import Beacon
package import SiteFormat

/// What is wrong with the site or the store now, whoever has noticed it. Pure.
package struct SiteHealth {
    /// Why the list cannot be had or is refused.
    package private(set) var list: ContentError?
    /// Why nothing can be written.
    package var room: ContentError?
    /// Content that cannot be had, though the list can.
    private var content: [ContentScope: ContentError] = [:]

    /// More are not remembered.
    package static let maximumContent = 1024

    package init() {}

    /// The list was asked for; nil where all is well.
    package mutating func listAnswered(_ error: ContentError?) {
        guard error?.code != .cancelled else { return }
        list = error
    }

    /// A manifest's content was synced; nil where all is well.
    package mutating func contentAnswered(_ scope: ContentScope, _ error: ContentError?) {
        guard let error else {
            content[scope] = nil
            return
        }
        guard error.code != .cancelled, content[scope] != nil || content.count < Self.maximumContent else { return }
        content[scope] = error
    }

    /// There is another list: what it names is tried anew.
    package mutating func listChanged() {
        content = [:]
    }

    /// One line; nil where nothing is wrong.
    package var problem: String? {
        if let error = list ?? room { return "\(error)" }
        guard let first = content.min(by: { $0.key < $1.key }) else { return nil }
        let others = content.count > 1 ? " (and \(content.count - 1) others)" : ""
        return "\(first.key)\(others): \(first.value)"
    }
}
