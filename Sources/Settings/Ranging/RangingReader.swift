import Beacon
import Ranging
package import YAMLText

extension RangingConfiguration {
    /// The keys at the top of a configuration that belong to ranging.
    package static let groups = ["ranging", "regions"]

    /// Settings below `ranging` that are lists or tables; `regions` stands beside it.
    package static let structures = ["ranging.corrections", "ranging.receivers", "regions"]

    /// Reads the part of a configuration that is about ranging.
    ///
    /// - Parameters:
    ///   - groups: what stands below each of the `groups`.
    ///   - environment: variables by name; they override single values of the file.
    ///   - yaml: gets what is wrong in the file.
    ///   - problems: gets what is wrong in the variables, a line each.
    package init(
        _ groups: [String: Node], environment: [String: String], yaml: inout YAMLReader, problems: inout [String]
    ) {
        var reader = RangingReader(yaml: yaml)
        reader.read(groups, environment: environment)
        self = reader.site
        yaml = reader.yaml
        problems += reader.problems
    }
}

private struct RangingReader {
    var site = RangingConfiguration()
    var yaml: YAMLReader
    var problems: [String] = []
    /// Where settings stand, for what is only wrong beside another.
    private var places: [String: Node] = [:]
    /// Which of them variables have set.
    private var variables: [String: String] = [:]

    init(yaml: YAMLReader) {
        self.yaml = yaml
    }

    mutating func read(_ groups: [String: Node], environment: [String: String]) {
        if let ranging = groups["ranging"] { group(ranging, "ranging") }
        if let regions = groups["regions"], !regions.isEmptyScalar { self.regions(regions) }
        for setting in RangingSetting.all {
            guard let text = environment[setting.variable] else { continue }
            var reader = YAMLReader()
            site.set(setting, to: Node(text), called: setting.variable, &reader)
            problems += reader.issues.map(\.message)
            // What is wrong beside another is the variable's fault then.
            places[setting.name] = nil
            variables[setting.name] = setting.variable
        }
        for (less, more) in RangingSetting.orders { order(less, more) }
    }

    // MARK: - Single values

    private mutating func group(_ node: Node, _ what: String) {
        guard !node.isEmptyScalar else { return }
        let prefix = what + "."
        let names = RangingSetting.all.map(\.name) + RangingConfiguration.structures
        let known = names.filter { $0.hasPrefix(prefix) }.map {
            String($0.dropFirst(prefix.count).prefix { $0 != "." })
        }
        let values = yaml.mapping(node, what, known: known.reduce(into: []) { if !$0.contains($1) { $0.append($1) } })
        for (key, value) in values ?? [:] {
            let name = prefix + key
            if let setting = RangingSetting.all.first(where: { $0.name == name }) {
                site.set(setting, to: value, called: name, &yaml)
                places[name] = value
            } else if value.isEmptyScalar {
                continue
            } else if name == "ranging.corrections" {
                corrections(value)
            } else if name == "ranging.receivers" {
                receivers(value)
            } else {
                group(value, name)
            }
        }
    }

    private mutating func order(_ less: String, _ more: String) {
        func value(_ name: String) -> Double? {
            guard case .number(_, let path) = RangingSetting.all.first(where: { $0.name == name })?.value else {
                return nil
            }
            return site[keyPath: path]
        }
        guard let lower = value(less), let upper = value(more), upper < lower else { return }
        let message = "\(more) must not be less than \(less): \(upper) is less than \(lower)"
        if let variable = variables[more] ?? variables[less] {
            problems.append("\(variable): \(message)")
        } else if let place = places[more] ?? places[less] {
            yaml.complain(place, message)
        } else {
            problems.append(message)
        }
    }

    // MARK: - Lists

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
            if site.settings.corrections.updateValue(correction, forKey: constraint) != nil {
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
            site.receivers[source] = decibels
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
                site.settings.regions.append(BeaconRegion(identifier: name, constraint: constraint, dwell: dwell))
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

extension RangingConfiguration {
    /// Sets one value, or notes why it cannot be.
    fileprivate mutating func set(
        _ setting: RangingSetting, to node: Node, called name: String, _ yaml: inout YAMLReader
    ) {
        switch setting.value {
        case .number(let range, let path):
            if let value = yaml.number(node, name, range) { self[keyPath: path] = value }
        case .count(let range, let path):
            if let value = yaml.integer(node, name, range) { self[keyPath: path] = Int(value) }
        case .limit(let range, let path):
            if let value = yaml.integer(node, name, range) { self[keyPath: path] = value == 0 ? nil : Int(value) }
        case .filter(let path):
            guard let text = yaml.text(node, name) else { return }
            guard let filter = LevelAlgorithm(rawValue: text) else {
                let allowed = YAMLReader.list(LevelAlgorithm.allCases.map(\.rawValue))
                return yaml.complain(node, "\(name) is '\(text)': allowed are \(allowed)")
            }
            self[keyPath: path] = filter
        }
    }
}

extension Node {
    /// A key with nothing after it.
    var isEmptyScalar: Bool { scalar?.string.isEmpty == true }
}
