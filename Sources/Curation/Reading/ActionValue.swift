/// The value of an action, by its kind.
package enum ActionValue {
    /// The value in the form that is published: an address, `+431234567`, `info@example.org`, `48.2,16.3` or a place.
    /// Empty for an empty text, which is a draft.
    ///
    /// - Throws: what is wrong with it.
    package static func read(_ text: String, kind: ActionItem.Kind) throws(Problem) -> String {
        let text = text.tidiedValue
        guard !text.isEmpty else { return "" }
        return switch kind {
        case .openURL: try LinkAddress.read(text)
        case .call: try PhoneNumber.read(text)
        case .email: try MailAddress.read(text)
        case .navigate: try place(text)
        }
    }

    /// Coordinates, or the name of a place. What looks like coordinates must be right.
    private static func place(_ text: String) throws(Problem) -> String {
        guard CoordinateText.looksLikeCoordinates(text) else {
            guard !text.isLonger(than: FieldLimits.name) else { throw Problem(.tooLong, "\(FieldLimits.name)") }
            return text
        }
        return CoordinateText.text(try CoordinateText.read(text))
    }
}
