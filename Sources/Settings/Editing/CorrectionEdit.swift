import Beacon
package import Ranging
import YAMLText

/// Puts a beacon's correction into a configuration, and leaves everything else in it as it is: comments, order and
/// blank lines.
package struct CorrectionEdit: Sendable {
    /// Whose correction.
    package var beacon: BeaconConstraint
    /// dBm at 1 m.
    package var measuredPower: Double
    /// How wrong that may be, in dB (standard deviation).
    package var deviation: Double
    /// What is written beside it, for people: when and how it was measured.
    package var note: String

    /// A correction with values to one decimal.
    package init(beacon: BeaconConstraint, measuredPower: Double, deviation: Double, note: String) {
        self.beacon = beacon
        self.measuredPower = (measuredPower * 10).rounded() / 10
        self.deviation = (deviation * 10).rounded() / 10
        self.note = String(note.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : Character($0) })
    }

    /// What an entry of `ranging.corrections` looks like, for a person to put into the file.
    package var lines: [String] { ["ranging:", "  corrections:"] + entry(indent: 4) }

    /// The text with the correction in it.
    ///
    /// - Throws: what is wrong with the configuration, or where a person has to make the change; nothing has been
    ///   changed then.
    package func applied(to text: String, file: String) throws(ConfigurationError) -> String {
        let before = try RangingConfiguration.parse(text, file: file, environment: [:])
        var lines = ConfigurationLines(text)
        let done = change(&lines)
        // Whatever was misunderstood about the file shows here, and not in the daemon.
        var expected = before
        expected.settings.corrections[beacon, default: BeaconCorrection()].measuredPower = measuredPower
        expected.settings.corrections[beacon, default: BeaconCorrection()].deviation = deviation
        expected.settings.corrections[beacon, default: BeaconCorrection()].offset = nil
        guard done, let after = try? RangingConfiguration.parse(lines.text, file: file, environment: [:]),
            after == expected, lines.rest(besides: "ranging") == ConfigurationLines(text).rest(besides: "ranging")
        else {
            throw ConfigurationError(
                ["\(file): is written in a way that cannot be changed here without risk; put this into it:"]
                    + self.lines)
        }
        return lines.text
    }

    // MARK: - The change

    private func change(_ lines: inout ConfigurationLines) -> Bool {
        guard let root = lines.root, !root.isEmptyScalar else {
            lines.append(self.lines)
            return true
        }
        guard let ranging = root.entry("ranging") else {
            guard lines.isBlock(root), root.mark?.column == 1 else { return false }
            lines.append(self.lines)
            return true
        }
        guard let line = ranging.key.mark?.line, let column = ranging.key.mark?.column else { return false }
        if ranging.value.isEmptyScalar {
            lines.insert(indented(["corrections:"], by: column + 1) + entry(indent: column + 3), after: line)
            return true
        }
        guard lines.isBlock(ranging.value), let inner = ranging.value.mark?.column else { return false }
        guard let corrections = ranging.value.entry("corrections") else {
            lines.insert(indented(["corrections:"], by: inner - 1) + entry(indent: inner + 1), after: line)
            return true
        }
        if corrections.value.isEmptyScalar, let line = corrections.key.mark?.line {
            lines.insert(entry(indent: inner + 1), after: line)
            return true
        }
        guard let list = corrections.value.sequence, lines.isBlock(corrections.value) else { return false }
        if let index = list.firstIndex(where: { Self.constraint(of: $0) == beacon }) {
            return update(index, &lines)
        }
        guard let last = list.last?.lastLine, let dash = corrections.value.mark?.column else { return false }
        lines.insert(entry(indent: dash - 1), after: last)
        return true
    }

    /// Changes the entry that is there.
    private func update(_ index: Int, _ lines: inout ConfigurationLines) -> Bool {
        /// Read anew each time: the last change has moved it.
        func entry(_ lines: ConfigurationLines) -> Node? {
            lines.root?.entry("ranging")?.value.entry("corrections")?.value.sequence?[index]
        }
        if let offset = entry(lines)?.entry("offset_db") {
            guard let line = offset.key.mark?.line, lines.removeLine(line, of: "offset_db:") else { return false }
        }
        for (key, value, note) in [("measured_power", measuredPower, note), ("deviation_db", deviation, nil)] {
            guard let node = entry(lines) else { return false }
            let isBlock = lines.isBlock(node)
            if let old = node.entry(key)?.value {
                guard let mark = old.mark, let scalar = old.scalar,
                    lines.replace(scalar.string, at: mark, with: "\(value)", note: isBlock ? note : nil)
                else { return false }
            } else if isBlock {
                guard let last = node.lastLine, let column = node.mark?.column else { return false }
                let text = "\(key): \(value)" + (note.map { "  # \($0)" } ?? "")
                lines.insert(indented([text], by: column - 1), after: last)
            } else {
                guard let mark = node.mark, lines.replace("{", at: mark, with: "{\(key): \(value), ", note: nil)
                else { return false }
            }
        }
        return true
    }

    private func entry(indent: Int) -> [String] {
        var entry = ["- uuid: \(beacon.uuid)"]
        if let major = beacon.major { entry.append("  major: \(major)") }
        if let minor = beacon.minor { entry.append("  minor: \(minor)") }
        entry.append("  measured_power: \(measuredPower)  # \(note)")
        entry.append("  deviation_db: \(deviation)")
        return indented(entry, by: indent)
    }

    private func indented(_ lines: [String], by blanks: Int) -> [String] {
        lines.map { String(repeating: " ", count: blanks) + $0 }
    }

    private static func constraint(of node: Node) -> BeaconConstraint? {
        func number(_ key: String) -> UInt16? { node.entry(key)?.value.scalar.flatMap { UInt16($0.string) } }
        guard let uuid = (node.entry("uuid")?.value.scalar?.string).flatMap({ ProximityUUID($0) }) else { return nil }
        return BeaconConstraint(uuid: uuid, major: number("major"), minor: number("minor"))
    }
}
