import Curation
package import Serving

/// Reads `application/x-www-form-urlencoded` (WHATWG URL, section 5.1).
package enum URLEncodedForm {
    /// The most fields of one form.
    package static let mostFields = 5000

    /// - Throws: `Refusal` (400) for more fields, or a text that is not UTF-8.
    package static func fields(of octets: some Collection<UInt8>) throws(Refusal) -> [(name: String, value: String)] {
        var fields: [(name: String, value: String)] = []
        for part in Array(octets).split(separator: UInt8(ascii: "&")) {
            guard fields.count < mostFields else {
                throw Refusal(400, "the form has more than \(mostFields) fields", whatToDo: "send fewer")
            }
            let name = part.prefix { $0 != UInt8(ascii: "=") }
            let value = part.dropFirst(name.count + 1)
            fields.append((try text(name), try text(value)))
        }
        return fields
    }

    private static func text(_ octets: ArraySlice<UInt8>) throws(Refusal) -> String {
        guard let text = String(validating: QueryFields.decoded(octets), as: UTF8.self) else {
            throw Refusal(400, "the form is not UTF-8", whatToDo: "send it in UTF-8")
        }
        // Browsers send CR LF, and a CR alone ends a line too (WHATWG HTML, section 4.10.21.8).
        return text.replacingLineEnds
    }
}
