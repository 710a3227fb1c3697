/// What people call rooms and scanners.
package enum PlaceName {
    /// Characters, at most.
    package static let longest = 200
    /// Bytes, at most, also in messages of others.
    package static let mostBytes = 4 * longest

    /// What is wrong with a name, as the end of a sentence that begins with what it is for; nil for a good one. A space
    /// at an end would make another room of it, and nobody would see that.
    package static func problem(_ name: String) -> String? {
        guard !name.isEmpty, name.count <= longest, name.utf8.count <= mostBytes else {
            return "has 1 to \(longest) characters"
        }
        guard !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            return "has a control character or a line break in it"
        }
        guard name.first?.isWhitespace == false, name.last?.isWhitespace == false else {
            return "has a space before or behind it"
        }
        return nil
    }
}
