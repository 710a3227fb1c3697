/// The names of rooms and scanners.
package enum PlaceName {
    /// The maximum number of characters.
    package static let longest = 200
    /// The maximum number of bytes, also in messages from other programs.
    package static let mostBytes = 4 * longest

    /// What is required of a name and not met, as the end of a sentence that begins with the name's key; nil if it is
    /// valid. A leading or trailing space is refused, because it would make another room that looks the same.
    package static func problem(_ name: String) -> String? {
        guard !name.isEmpty, name.count <= longest, name.utf8.count <= mostBytes else {
            return "has 1 to \(longest) characters"
        }
        guard !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) else {
            return "has a control character or a line break in it"
        }
        guard name.first?.isWhitespace == false, name.last?.isWhitespace == false else {
            return "has a space at its beginning or end"
        }
        return nil
    }
}
