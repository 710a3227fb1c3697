import Beacon
package import Health
import Text

/// The problems of a beacon, retained on `{prefix}/health/{uuid}/{major}/{minor}`:
///
///     {"uuid":"…","major":1,"minor":7,"state":"problem","problems":[{"kind":"weak","since":"…","evidence":"…"}]}
///
/// Nothing in it changes while nothing happens, so that two resolvers publish the same bytes.
package struct BeaconHealthMessage: Hashable, Sendable {
    package static let mostBytes = 16 << 10

    package var health: BeaconHealth

    package init(_ health: BeaconHealth) {
        self.health = health
    }

    package func json(name: String? = nil) -> String {
        var json = JSONText()
        json.object { json in
            json.identity(health.beacon, name: name)
            json.value("state", health.problems.isEmpty ? "ok" : "problem")
            json.problems(of: health)
        }
        return json.text
    }

    /// Reads what a resolver that starts continues from.
    ///
    /// - Throws: `FleetMessageError` if it is not such a message.
    package init(json: [UInt8]) throws(FleetMessageError) {
        guard json.count <= Self.mostBytes else {
            throw FleetMessageError("is larger than \(Self.mostBytes >> 10) KiB")
        }
        guard let health = try FleetMessageError.decode(Wire.self, json, as: "health of a beacon").health else {
            throw FleetMessageError("has no identity, or a problem without a time")
        }
        self.health = health
    }

    struct Wire: Decodable {
        struct Problem: Decodable {
            var kind: String
            var since: String
            var evidence: String
        }

        var uuid: String
        var major: UInt16
        var minor: UInt16
        var problems: [Problem]

        /// Nil if it cannot be the health of a beacon.
        var health: BeaconHealth? {
            guard let uuid = ProximityUUID(uuid) else { return nil }
            var health = BeaconHealth(beacon: BeaconID(uuid: uuid, major: major, minor: minor))
            for problem in problems {
                // A newer program may know more kinds.
                guard let kind = HealthProblem.Kind(rawValue: problem.kind) else { continue }
                guard let since = Timestamp(rfc3339: problem.since), (0...100_000_000_000).contains(since.seconds),
                    !health.problems.contains(where: { $0.kind == kind })
                else { return nil }
                health.problems.append(
                    HealthProblem(
                        kind: kind, since: Int64(since.seconds),
                        evidence: printable(String(problem.evidence.prefix(400)))))
            }
            health.problems.sort { $0.kind < $1.kind }
            return health
        }
    }
}
