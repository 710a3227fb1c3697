package import Beacon

/// The scope of a manifest: one beacon, all beacons of a major or of a UUID, or no beacon at all.
package enum ContentScope: Hashable, Sendable {
    case beacon(BeaconID)
    case major(ProximityUUID, UInt16)
    case uuid(ProximityUUID)
    /// Shown while no beacon is near.
    case uncategorized

    /// The scopes in which content for `beacon` is searched for, the most specific first. For nil, which means that no
    /// beacon is near, only `uncategorized`.
    ///
    /// A beacon never falls back to `uncategorized`. That content is for "nothing is near", and would be wrong in front
    /// of an exhibit. So a beacon without a manifest has no content.
    package static func candidates(for beacon: BeaconID?) -> [ContentScope] {
        guard let beacon else { return [.uncategorized] }
        return [.beacon(beacon), .major(beacon.uuid, beacon.major), .uuid(beacon.uuid)]
    }

    /// The beacon of this scope; nil if the scope is wider, or `uncategorized`.
    package var beacon: BeaconID? {
        if case .beacon(let id) = self { id } else { nil }
    }

    /// The manifest's path without its suffix, both below `{base}/v1/` and in the store.
    ///
    /// It is made only from numbers.
    package var path: String {
        switch self {
        case .beacon(let id): "beacons/\(id.uuid)/\(id.major)/\(id.minor)"
        case .major(let uuid, let major): "beacons/\(uuid)/\(major)"
        case .uuid(let uuid): "beacons/\(uuid)"
        case .uncategorized: "uncategorized"
        }
    }
}

extension ContentScope: LosslessStringConvertible {
    /// Reads the form of `description`; nil for anything else.
    package init?(_ text: String) {
        if text == "uncategorized" {
            self = .uncategorized
        } else if let beacon = BeaconID(text) {
            self = .beacon(beacon)
        } else {
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            guard let first = parts.first, let uuid = ProximityUUID(first) else { return nil }
            switch parts.count {
            case 1: self = .uuid(uuid)
            case 2:
                guard let major = UInt16(parts[1]) else { return nil }
                self = .major(uuid, major)
            default: return nil
            }
        }
    }

    /// `uuid/major/minor`, `uuid/major`, `uuid` or `uncategorized`.
    package var description: String {
        switch self {
        case .beacon(let id): id.description
        case .major(let uuid, let major): "\(uuid)/\(major)"
        case .uuid(let uuid): uuid.description
        case .uncategorized: "uncategorized"
        }
    }
}

extension ContentScope: Comparable {
    /// Ordered by UUID, major and minor, with wider scopes before narrower ones and `uncategorized` last.
    package static func < (left: Self, right: Self) -> Bool {
        left.order < right.order
    }

    private var order: (Int, ProximityUUID, Int, Int) {
        switch self {
        case .beacon(let id): (0, id.uuid, Int(id.major), Int(id.minor))
        case .major(let uuid, let major): (0, uuid, Int(major), -1)
        case .uuid(let uuid): (0, uuid, -1, -1)
        case .uncategorized: (1, ProximityUUID(0), 0, 0)
        }
    }
}
