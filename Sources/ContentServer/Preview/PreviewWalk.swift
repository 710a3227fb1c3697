package import Beacon
package import Curation
import Text

/// A walk past the beacons of the drafts on the emulated air, as a scenario of `--source sim:FILE`.
package struct PreviewWalk: Hashable, Sendable {
    package struct Stop: Hashable, Sendable {
        package var id: BeaconID
        package var name: String

        package init(id: BeaconID, name: String) {
            self.id = id
            self.name = name
        }
    }

    /// In the order of the walk.
    package var stops: [Stop]

    /// The most beacons on the air. A longer walk is longer than anybody looks.
    static let mostStops = 24
    /// Metres between two beacons: far enough that only one is near.
    private static let step = 9.0
    /// Seconds in front of each beacon, and of the first one.
    private static let pause = 20
    private static let firstPause = 90

    /// - Parameter first: the beacon at which the walk begins; nil for the first by name.
    /// - Returns: nil if no beacon has an identity yet.
    package init?(_ documents: [DocumentID: Document], language: [Language], from first: DocumentID? = nil) {
        let all = documents.compactMap { id, document -> (document: DocumentID, stop: Stop)? in
            guard let beacon = document.beacon, let identity = beacon.id else { return nil }
            return (id, Stop(id: identity, name: beacon.name.any(language) ?? ""))
        }
        let sorted = all.sorted { ($0.stop.name, $0.stop.id) < ($1.stop.name, $1.stop.id) }
        let start = sorted.firstIndex { $0.document == first } ?? 0
        stops = (sorted[start...] + sorted[..<start]).prefix(Self.mostStops).map(\.stop)
        guard !stops.isEmpty else { return nil }
    }

    /// The scenario as YAML.
    package var scenario: String {
        var text = "seed: 7\nbeacons:\n"
        for (index, stop) in stops.enumerated() {
            text += "  - uuid: \(stop.id.uuid)\n    major: \(stop.id.major)\n    minor: \(stop.id.minor)\n"
            if !stop.name.isEmpty { text += "    name: \(YAMLString.quoted(String(stop.name.prefix(200))))\n" }
            text += "    measured_power: -59\n    interval_ms: 200\n    position: [\(Double(index) * Self.step), 1]\n"
        }
        text += "visitor:\n  speed_m_per_s: 1.5\n  path:\n"
        for index in stops.indices {
            let pause = index == 0 ? Self.firstPause : Self.pause
            text += "    - {position: [\(Double(index) * Self.step), 0], pause_s: \(pause)}\n"
        }
        // A path has at least two places.
        if stops.count == 1 { text += "    - {position: [0, 0.1], pause_s: \(Self.pause)}\n" }
        return text + "repeat: back_and_forth\n"
    }
}
