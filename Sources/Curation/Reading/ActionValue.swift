/// The value of an action, depending on its kind.
package enum ActionValue {
    /// The value in its published form: an address, `+431234567`, `info@example.org`, `48.2,16.3` or a place. Empty for
    /// an empty text, as in a draft.
    ///
    /// - Throws: the problem with the value.
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

    /// Reads coordinates or the name of a place. A text that looks like coordinates must be valid.
    private static func place(_ text: String) throws(Problem) -> String {
        guard CoordinateText.looksLikeCoordinates(text) else {
            guard !text.isLonger(than: FieldLimits.name) else { throw Problem(.tooLong, "\(FieldLimits.name)") }
            return text
        }
        return CoordinateText.text(try CoordinateText.read(text))
    }
}
