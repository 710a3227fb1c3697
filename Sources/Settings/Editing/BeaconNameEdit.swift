package import Beacon
import YAMLText

/// Puts a beacon's name into a configuration, or removes it, and leaves everything else in it as it is: comments, order
/// and blank lines.
package struct BeaconNameEdit: Sendable {
    private let beacon: BeaconKey
    /// Nil to remove it.
    private let name: String?

    /// - Parameter name: as `BeaconNameRules` allows it; nil to remove the beacon's name.
    package init(beacon: BeaconKey, name: String?) {
        self.beacon = beacon
        self.name = name?.trimmed
    }

    /// The text with the name in it.
    ///
    /// - Throws: what is wrong with the configuration, or where a person has to make the change; nothing has been
    ///   changed then.
    package func applied(to text: String, file: String) throws(ConfigurationError) -> String {
        let before = try RangingConfiguration.parse(text, file: file, environment: [:])
        var expected = before
        let isExpected = before.beacons[beacon]?.isExpected ?? false
        expected.beacons[beacon] =
            name != nil || isExpected ? KnownBeacons.Entry(name: name, isExpected: isExpected) : nil
        guard expected != before else { return text }
        var lines = ConfigurationLines(text)
        let done = change(&lines, isExpected: isExpected)
        // Whatever was misunderstood about the file shows here, and not in the daemon.
        guard done, let after = try? RangingConfiguration.parse(lines.text, file: file, environment: [:]),
            after == expected, lines.rest(besides: "beacons") == ConfigurationLines(text).rest(besides: "beacons")
        else {
            let what =
                name.map { ["beacons:", "  " + Self.line(beacon, $0)] } ?? [
                    "remove the line of \(beacon) below beacons"
                ]
            throw ConfigurationError(
                ["\(file): is written in a way that cannot be changed here without risk; change it like this:"] + what)
        }
        return lines.text
    }

    // MARK: - The change

    private func change(_ lines: inout ConfigurationLines, isExpected: Bool) -> Bool {
        guard let root = lines.root, !root.isEmptyScalar else { return begin(&lines) }
        guard let beacons = root.entry("beacons") else {
            guard lines.isBlock(root), root.mark?.column == 1 else { return false }
            return begin(&lines)
        }
        guard let place = beacons.key.mark else { return false }
        if beacons.value.isEmptyScalar {
            return insert(&lines, indent: place.column + 1, after: place.line)
        }
        guard let list = beacons.value.mapping, let mark = beacons.value.mark else { return false }
        let isBlock = lines.isBlock(beacons.value)
        if let entry = list.first(where: { $0.key.scalar.flatMap { BeaconKey($0.string) } == beacon }) {
            guard let name else { return isBlock && remove(entry, &lines, isExpected: isExpected) }
            return rename(entry, to: name, &lines)
        }
        guard let name else { return true }
        guard isBlock else {
            return lines.replace(
                "{", at: mark, with: "{" + Self.line(beacon, name) + (list.isEmpty ? "" : ", "), note: nil)
        }
        guard let last = beacons.value.lastLine else { return false }
        return insert(&lines, indent: mark.column - 1, after: last)
    }

    /// The first beacon of the file.
    private func begin(_ lines: inout ConfigurationLines) -> Bool {
        if let name { lines.append(["beacons:", "  " + Self.line(beacon, name)]) }
        return true
    }

    private func insert(_ lines: inout ConfigurationLines, indent: Int, after line: Int) -> Bool {
        guard let name else { return true }
        lines.insert([String(repeating: " ", count: indent) + Self.line(beacon, name)], after: line)
        return true
    }

    private func rename(_ entry: (key: Node, value: Node), to name: String, _ lines: inout ConfigurationLines) -> Bool {
        guard entry.value.mapping != nil else { return replace(entry.value, with: name, &lines) }
        if let old = entry.value.entry("name")?.value { return replace(old, with: name, &lines) }
        guard let mark = entry.value.mark else { return false }
        if lines.isBlock(entry.value) {
            lines.insert(
                [String(repeating: " ", count: mark.column - 1) + "name: \(Self.quoted(name))"], after: mark.line - 1)
            return true
        }
        return lines.replace("{", at: mark, with: "{name: \(Self.quoted(name)), ", note: nil)
    }

    private func replace(_ node: Node, with name: String, _ lines: inout ConfigurationLines) -> Bool {
        guard let scalar = node.scalar, let mark = node.mark else { return false }
        return lines.replaceScalar(scalar.string, at: mark, with: Self.quoted(name))
    }

    /// A beacon that is expected stays so.
    private func remove(
        _ entry: (key: Node, value: Node), _ lines: inout ConfigurationLines, isExpected: Bool
    ) -> Bool {
        guard let mark = entry.key.mark else { return false }
        let last = max(mark.line, entry.value.lastLine ?? mark.line)
        let rest = isExpected
            ? [String(repeating: " ", count: mark.column - 1) + "\(beacon): {expected: true}"] : []
        return lines.replace(mark.line...last, ofEntryAt: mark, with: rest)
    }

    // MARK: - YAML

    private static func line(_ beacon: BeaconKey, _ name: String) -> String { "\(beacon): \(quoted(name))" }

    /// Words that other readers of YAML take for nothing, or for yes and no.
    private static let words: Set = ["null", "true", "false", "yes", "no", "on", "off", "y", "n"]

    /// Without quotes where nothing in it has a meaning in YAML.
    private static func quoted(_ name: String) -> String {
        let isPlain = name.unicodeScalars.allSatisfy {
            $0.properties.isAlphabetic || ("0"..."9").contains($0) || $0 == " " || $0 == "_" || $0 == "." || $0 == "-"
        }
        if isPlain, name.unicodeScalars.first?.properties.isAlphabetic == true, !words.contains(name.lowercased()) {
            return name
        }
        var text = "\""
        for scalar in name.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            // YAML 1.1, section 5.4: these end lines.
            case "\u{85}", "\u{2028}", "\u{2029}", "\u{FEFF}":
                let digits = String(scalar.value, radix: 16, uppercase: true)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text + "\""
    }
}
