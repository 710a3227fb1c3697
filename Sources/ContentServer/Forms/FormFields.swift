/// The fields of a form that was sent, in order.
package struct FormFields: Sendable {
    package var fields: [(name: String, value: String)] = []
    /// Uploaded files, in order.
    package var files: [FormFile] = []

    package init(_ fields: [(name: String, value: String)] = []) {
        self.fields = fields
    }

    /// The first value of a field, without white space around it; nil if it was not sent.
    package subscript(name: String) -> String? {
        raw(name).map { text in
            let start = text.drop { $0.isWhitespace }
            return String(
                start.prefix(
                    upTo: start.lastIndex { !$0.isWhitespace }.map { start.index(after: $0) } ?? start.startIndex))
        }
    }

    /// The first value of a field as it was sent: for passwords.
    package func raw(_ name: String) -> String? {
        fields.first { $0.name == name }?.value
    }

    /// All values of a field, such as those of checkboxes with the same name.
    package func all(_ name: String) -> [String] {
        fields.filter { $0.name == name }.map(\.value)
    }

    /// A checkbox is sent only if it is checked.
    package func isSet(_ name: String) -> Bool {
        fields.contains { $0.name == name && !$0.value.isEmpty && $0.value != "false" && $0.value != "0" }
    }
}
