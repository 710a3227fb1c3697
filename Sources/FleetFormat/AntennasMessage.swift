import Text

/// What is learned of the scanners' antennas, as it is retained on `{prefix}/fleet/antennas`: dB by the scanner's name.
package enum AntennasMessage {
    package static let mostBytes = 64 << 10

    package static func json(_ antennas: [String: Double]) -> String {
        var json = JSONText()
        json.object { json in
            for (scanner, decibels) in antennas.sorted(by: { $0.key < $1.key }) {
                json.value(scanner, decibels, digits: 1)
            }
        }
        return json.text
    }

    /// - Throws: `FleetMessageError` for what is no such message.
    package static func antennas(json: [UInt8]) throws(FleetMessageError) -> [String: Double] {
        guard json.count <= mostBytes else { throw FleetMessageError("is larger than \(mostBytes >> 10) KiB") }
        return try FleetMessageError.decode([String: Double].self, json, as: "list of antennas")
    }
}
