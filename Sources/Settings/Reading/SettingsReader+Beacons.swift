import Beacon
import Text
import YAMLText

// `beacons`: names of beacons, and which of them are expected.
extension SettingsReader {
    /// Only `beacons`, whatever else the file has. A configuration need not have it.
    mutating func knownBeacons(of root: Node) {
        guard let found = root["beacons"] else {
            guard root.mapping == nil else { return }
            return yaml.complain(
                root, "beacons is missing: write `beacons:`, and below it lines such as `1.7: Star Globe`")
        }
        if !found.isEmptyScalar { beacons(found) }
    }

    mutating func beacons(_ node: Node) {
        guard case .mapping(let mapping) = node else {
            return yaml.complain(node, "beacons needs lines such as `1.7: Star Globe`, without dashes before them")
        }
        guard mapping.count <= BeaconNameRules.mostBeacons else {
            return yaml.complain(
                node, "beacons has \(mapping.count) entries: at most \(BeaconNameRules.mostBeacons) are allowed")
        }
        for (place, value) in mapping {
            guard let text = yaml.text(place, "a beacon") else { continue }
            guard let key = BeaconKey(text) else {
                yaml.complain(place, "'\(excerpt(text))' is no beacon: write MAJOR.MINOR or UUID/MAJOR/MINOR")
                continue
            }
            guard let entry = entry(value, key) else { continue }
            guard values.ranging.beacons[key] == nil else {
                yaml.complain(place, "\(key) stands here already, further up")
                continue
            }
            values.ranging.beacons[key] = entry
        }
    }

    /// A name, or `name` and `expected`.
    private mutating func entry(_ node: Node, _ key: BeaconKey) -> KnownBeacons.Entry? {
        guard node.mapping != nil else {
            guard let name = yaml.text(node, "the name of \(key)") else { return nil }
            return isName(name, node, key) ? KnownBeacons.Entry(name: name.trimmed) : nil
        }
        guard let keys = yaml.mapping(node, "the beacon \(key)", known: ["name", "expected"]) else { return nil }
        let isExpected = yaml.flag(keys["expected"], "expected") ?? false
        guard let place = keys["name"] else {
            if !isExpected {
                yaml.complain(node, "\(key) has no name, and is not expected: give it a name, or `expected: true`")
            }
            return isExpected ? KnownBeacons.Entry(name: nil, isExpected: true) : nil
        }
        guard let name = yaml.text(place, "the name of \(key)"), isName(name, place, key) else { return nil }
        return KnownBeacons.Entry(name: name.trimmed, isExpected: isExpected)
    }

    private mutating func isName(_ text: String, _ node: Node, _ key: BeaconKey) -> Bool {
        guard let problem = BeaconNameRules.problem(with: text) else { return true }
        yaml.complain(node, "the name of \(key) \(problem)")
        return false
    }
}

/// What a beacon's name may be in a configuration.
package enum BeaconNameRules {
    package static let mostBeacons = 10_000
    package static let mostCharacters = 200
    /// A character may consist of any number of code points.
    package static let mostBytes = 1600

    /// Why a text is no name, to stand behind "the name of 1.7"; nil where it is one.
    package static func problem(with text: String) -> String? {
        if text.allSatisfy(\.isWhitespace) { return "is empty" }
        if text.utf8.count > mostBytes || text.count > mostCharacters {
            return "is too long: at most \(mostCharacters) characters are allowed"
        }
        if text.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            return "has a line end or another control character in it"
        }
        return nil
    }
}
