package import Beacon
package import Health
import Text

/// What was learned about the beacons' health, as it is kept over restarts.
///
///     {"format":1,"scanners":{"hci0":{"age":1440,"beacons":{"7A0E5F3C-…":[[1,7,…]]}}},"problems":[…]}
///
/// A row is major, minor and `Reception.numbers`.
package struct HealthMemory: Hashable, Sendable {
    package struct Scanner: Hashable, Sendable {
        package var name: String
        /// Minutes in which it could receive.
        package var age: Double
        package var receptions: [BeaconID: Reception]

        package init(name: String, age: Double, receptions: [BeaconID: Reception]) {
            self.name = name
            self.age = age
            self.receptions = receptions
        }
    }

    /// Bytes. A larger file is not from this project.
    package static let mostBytes = 32 << 20
    package static let format = 1

    package var scanners: [Scanner]
    /// The beacons with problems.
    package var health: [BeaconHealth]

    package init(scanners: [Scanner], health: [BeaconHealth]) {
        self.scanners = scanners
        self.health = health
    }

    package var json: String {
        var json = JSONText()
        json.object { json in
            json.value("format", Self.format)
            json.object("scanners") { json in
                for scanner in scanners.sorted(by: { $0.name < $1.name }) {
                    json.object(scanner.name) { json in
                        json.value("age", scanner.age, digits: 0)
                        json.object("beacons") { json in
                            let groups = Dictionary(grouping: scanner.receptions.keys, by: \.uuid)
                            for (uuid, beacons) in groups.sorted(by: { $0.key < $1.key }) {
                                json.array(uuid.description) { json in
                                    for beacon in beacons.sorted() {
                                        guard let reception = scanner.receptions[beacon] else { continue }
                                        json.raw(nil, Self.row(beacon, reception))
                                    }
                                }
                            }
                        }
                    }
                }
            }
            json.array("problems") { json in
                for health in health { json.raw(nil, BeaconHealthMessage(health).json()) }
            }
        }
        return json.text
    }

    private static func row(_ beacon: BeaconID, _ reception: Reception) -> String {
        let numbers = reception.numbers.map { number in
            number.rounded() == number ? fixed(number, digits: 0) : fixed(number, digits: 5)
        }
        return "[\(([String(beacon.major), String(beacon.minor)] + numbers).joined(separator: ","))]"
    }

    /// Invalid rows are left out: what is missing is learned again.
    ///
    /// - Throws: `FleetMessageError` if it is not such a text.
    package init(json: [UInt8]) throws(FleetMessageError) {
        guard json.count <= Self.mostBytes else {
            throw FleetMessageError("is larger than \(Self.mostBytes >> 20) MiB")
        }
        let wire = try FleetMessageError.decode(Wire.self, json, as: "memory of beacons' health")
        guard wire.format == Self.format else {
            throw FleetMessageError("has format \(wire.format), but only \(Self.format) is known")
        }
        scanners = wire.scanners.sorted { $0.key < $1.key }.prefix(HealthWatch.mostScanners).map { name, scanner in
            var receptions: [BeaconID: Reception] = [:]
            for (text, rows) in scanner.beacons.sorted(by: { $0.key < $1.key }) {
                guard let uuid = ProximityUUID(text) else { continue }
                for row in rows.prefix(ScannerHealth.mostBeacons - min(ScannerHealth.mostBeacons, receptions.count)) {
                    guard row.count > 2, let major = UInt16(exactly: row[0]), let minor = UInt16(exactly: row[1]),
                        let reception = Reception(numbers: Array(row.dropFirst(2)))
                    else { continue }
                    receptions[BeaconID(uuid: uuid, major: major, minor: minor)] = reception
                }
            }
            return Scanner(name: name, age: scanner.age, receptions: receptions)
        }
        health = wire.problems.prefix(HealthJudge.mostBeacons).compactMap(\.health)
    }

    private struct Wire: Decodable {
        struct Scanner: Decodable {
            var age: Double
            var beacons: [String: [[Double]]]
        }

        /// An unreadable problem does not affect the others.
        struct Problem: Decodable {
            var health: BeaconHealth?

            init(from decoder: any Decoder) throws {
                health = try? BeaconHealthMessage.Wire(from: decoder).health
            }
        }

        var format: Int
        var scanners: [String: Scanner]
        var problems: [Problem]
    }
}

extension HealthWatch {
    /// What to keep.
    package var memory: HealthMemory {
        HealthMemory(
            scanners: scanners.values.map { .init(name: $0.scanner, age: $0.age, receptions: $0.receptions) }
                .sorted { $0.name < $1.name },
            health: health.filter { !$0.problems.isEmpty })
    }

    package mutating func restore(_ memory: HealthMemory) {
        for scanner in memory.scanners {
            var health = ScannerHealth(scanner: scanner.name)
            health.restore(age: scanner.age, scanner.receptions)
            restore(health)
        }
        for health in memory.health { restore(health) }
    }
}
