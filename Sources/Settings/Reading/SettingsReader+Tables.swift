import Beacon
import Ranging
import YAMLText

// Corrections, receivers, regions and beacons, which only the file can hold.
extension SettingsReader {
    mutating func table(_ name: String, _ node: Node) {
        switch name {
        case "ranging.corrections": corrections(node)
        case "ranging.receivers": receivers(node)
        case "regions": regions(node)
        case "beacons": beacons(node)
        default: break
        }
    }

    private mutating func corrections(_ node: Node) {
        let what = "ranging.corrections"
        for entry in yaml.sequence(node, what, atMost: 100_000) {
            let known = ["uuid", "major", "minor"] + CorrectionKey.allCases.map(\.rawValue)
            guard let keys = yaml.mapping(entry, "an entry of \(what)", known: known),
                let constraint = constraint(entry, keys)
            else { continue }
            var correction = BeaconCorrection()
            for key in CorrectionKey.allCases {
                correction[keyPath: key.path] = yaml.number(keys[key.rawValue], key.rawValue, key.range)
            }
            if CorrectionKey.allCases.allSatisfy({ keys[$0.rawValue] == nil }) {
                yaml.complain(entry, "this correction corrects nothing: give it measured_power, offset_db, "
                    + "deviation_db or exit_s")
            }
            if let offset = keys["offset_db"], keys["measured_power"] != nil {
                yaml.complain(offset, "offset_db has no effect beside measured_power: leave one of the two out")
            }
            if values.ranging.settings.corrections.updateValue(correction, forKey: constraint) != nil {
                yaml.complain(entry, "these beacons have a correction already, further up")
            }
        }
    }

    private mutating func receivers(_ node: Node) {
        guard case .mapping(let mapping) = node else {
            return yaml.complain(
                node, "ranging.receivers must be a list of `source: decibels` lines, as in `hci0: -3`")
        }
        for (key, value) in mapping {
            guard let source = yaml.text(key, "a source of ranging.receivers"),
                let decibels = yaml.number(value, "the correction of \(source)", -60...60)
            else { continue }
            values.ranging.receivers[source] = decibels
        }
    }

    private mutating func regions(_ node: Node) {
        var names: Set<String> = []
        for entry in yaml.sequence(node, "regions", atMost: 10_000) {
            let known = ["name", "uuid", "major", "minor", "dwell_s"]
            guard let keys = yaml.mapping(entry, "a region", known: known) else { continue }
            let dwell = yaml.number(keys["dwell_s"], "dwell_s", 0...31_536_000)
            let constraint = constraint(entry, keys)
            guard let name = yaml.text(keys["name"], "name"), !name.isEmpty else {
                yaml.complain(keys["name"] ?? entry, "this region has no name")
                continue
            }
            guard names.insert(name).inserted else {
                yaml.complain(keys["name"] ?? entry, "there is another region called '\(name)'")
                continue
            }
            if let constraint {
                values.ranging.settings.regions.append(
                    BeaconRegion(identifier: name, constraint: constraint, dwell: dwell))
            }
        }
    }

    /// Whose beacons: `uuid`, with `major`, and `minor` beside it.
    private mutating func constraint(_ node: Node, _ keys: [String: Node]) -> BeaconConstraint? {
        let major = yaml.integer(keys["major"], "major", 0...65_535)
        let minor = yaml.integer(keys["minor"], "minor", 0...65_535)
        if let place = keys["minor"], keys["major"] == nil {
            yaml.complain(place, "minor means nothing without major: add major, or leave minor out")
        }
        guard let value = keys["uuid"] else {
            yaml.complain(node, "uuid is missing: 32 hexadecimal digits, with or without dashes")
            return nil
        }
        guard let text = yaml.text(value, "uuid") else { return nil }
        guard let uuid = ProximityUUID(text) else {
            yaml.complain(value, "uuid is '\(text)': 32 hexadecimal digits are needed, with or without dashes")
            return nil
        }
        // A value that is wrong must not widen whose beacons are meant.
        if (keys["major"] != nil && major == nil) || (keys["minor"] != nil && minor == nil) { return nil }
        return BeaconConstraint(
            uuid: uuid, major: major.map { UInt16(clamping: $0) }, minor: minor.map { UInt16(clamping: $0) })
    }
}

/// The parts of a correction, by their keys in the configuration.
enum CorrectionKey: String, CaseIterable {
    case measuredPower = "measured_power"
    case offset = "offset_db"
    case deviation = "deviation_db"
    case exitTime = "exit_s"

    var path: WritableKeyPath<BeaconCorrection, Double?> {
        switch self {
        case .measuredPower: \.measuredPower
        case .offset: \.offset
        case .deviation: \.deviation
        case .exitTime: \.exitTime
        }
    }

    var range: ClosedRange<Double> {
        switch self {
        case .measuredPower: -128...127
        case .offset: -60...60
        case .deviation: 0...30
        case .exitTime: 0.1...86_400
        }
    }
}
