/// The fields of a form that was sent, in order.
package struct FormFields: Sendable {
    package var fields: [(name: String, value: String)] = []
    /// Uploaded files. They are removed when the request has been answered, unless somebody has moved them.
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

/// An uploaded file on disk.
package struct FormFile: Sendable {
    /// The name of its field.
    package var field: String
    /// As the browser gave it: for people only, never for a path.
    package var name: String
    /// Where its bytes are.
    package var path: String
    package var bytes: Int64
}
