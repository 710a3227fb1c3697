import Foundation
import Synchronization

/// Scanners of a fleet without radios: at a real broker they publish each second what a scene says.
package final class FleetScene: Sendable {
    package struct Scanner: Sendable {
        package var name: String
        package var room: String
        package var floor: Int
        package var position: (x: Double, y: Double)?

        package init(_ name: String, room: String, floor: Int = 0, position: (x: Double, y: Double)? = nil) {
            self.name = name
            self.room = room
            self.floor = floor
            self.position = position
        }
    }

    /// What a scanner hears: dBm by the beacon's minor; nil where it is blind.
    package typealias Levels = [String: [Int: Double]?]

    package static let uuid = "7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096"

    private let publishers: [String: RunningProgram]
    private let levels = Mutex<Levels>([:])
    private let task = Mutex<Task<Void, any Error>?>(nil)

    /// Publishes the scanners' places, and begins.
    package init(_ scanners: [Scanner], at broker: Mosquitto) async throws {
        var publishers: [String: RunningProgram] = [:]
        for scanner in scanners {
            var state: [String: Any] = [
                "scanner": "ok", "room": scanner.room, "floor": scanner.floor, "version": "0.1.0",
            ]
            if let position = scanner.position { (state["x"], state["y"]) = (position.x, position.y) }
            let data = try JSONSerialization.data(withJSONObject: state)
            try await broker.publish(
                "beacond/\(scanner.name)/scanner", String(decoding: data, as: UTF8.self), isRetained: true)
            publishers[scanner.name] = try RunningProgram(
                "mosquitto_pub",
                ["-h", "127.0.0.1", "-p", "\(broker.port)", "-t", "beacond/\(scanner.name)/levels", "-l"],
                input: .pipe)
        }
        self.publishers = publishers
        let run = Task { [publishers, weak self] in
            while let self {
                let second = Int(Date().timeIntervalSince1970)
                let levels = self.levels.withLock { $0 }
                for (name, publisher) in publishers {
                    guard let heard = levels[name] else { continue }
                    try publisher.write(Self.message(second, heard))
                }
                try await Task.sleep(for: .seconds(1))
            }
        }
        task.withLock { $0 = run }
    }

    /// What each scanner hears from now on. A scanner that is not named says nothing any more.
    package func hear(_ levels: Levels) { self.levels.withLock { $0 = levels } }

    package func stop() async {
        task.withLock { $0 }?.cancel()
        for publisher in publishers.values { _ = try? await publisher.stop() }
    }

    private static func message(_ second: Int, _ heard: [Int: Double]?) -> String {
        let rows = (heard ?? [:]).sorted { $0.key < $1.key }.map { "[1,\($0.key),\($0.value),4,5,0.1]" }
        let beacons = rows.isEmpty ? "" : #""\#(uuid)":[\#(rows.joined(separator: ","))]"#
        return
            #"{"second":\#(second),"state":"\#(heard == nil ? "blind" : "ok")","clock_ms":null,"beacons":{\#(beacons)}}"#
    }
}
