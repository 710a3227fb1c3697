public import Beacon
import Console
import Content
import Synchronization

/// What people call beacons: names from scenarios and from the content site, collected while the daemon runs.
///
/// Names come from outside and may hold anything, so control characters are left out.
public final class Names: Sendable {
    private let names = Mutex<[BeaconID: String]>([:])

    public init() {}

    /// All known names.
    public var all: [BeaconID: String] { names.withLock { $0 } }

    /// The name that people gave; nil where there is none.
    public func given(_ id: BeaconID) -> String? {
        names.withLock { $0[id] }
    }

    /// The name, or the identity where there is none.
    public subscript(id: BeaconID) -> String {
        names.withLock { $0[id] } ?? "\(id.uuid.uppercased) \(id.major).\(id.minor)"
    }

    /// The same for content, where nil stands for "no beacon is near".
    public subscript(content id: BeaconID?) -> String {
        id.map { self[$0] } ?? "uncategorized"
    }

    /// The same for a manifest, which may be about more than one beacon.
    subscript(scope: ContentScope) -> String {
        scope.beacon.map { self[$0] } ?? scope.description
    }

    public func add(_ new: [BeaconID: String]) {
        names.withLock { names in
            for (id, name) in new {
                names[id] = printable(name)
            }
        }
    }
}
