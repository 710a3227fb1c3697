package import Beacon

/// JSON as text. Keys keep the order in which they are written: the order of the documented formats.
package struct JSONText: Sendable {
    package private(set) var text = ""
    private var needsComma = false

    package init() {}

    package mutating func object(_ key: String? = nil, _ body: (inout JSONText) -> Void) {
        nest(key, "{", "}", body)
    }

    package mutating func array(_ key: String? = nil, _ body: (inout JSONText) -> Void) {
        nest(key, "[", "]", body)
    }

    package mutating func value(_ key: String? = nil, _ value: String?) {
        begin(key)
        if let value { text += Self.quoted(value) } else { text += "null" }
    }

    package mutating func value(_ key: String? = nil, _ value: Int?) {
        begin(key)
        text += value.map(String.init) ?? "null"
    }

    package mutating func value(_ key: String? = nil, _ value: Bool) {
        begin(key)
        text += value ? "true" : "false"
    }

    /// - Parameter digits: decimal places.
    package mutating func value(_ key: String? = nil, _ value: Double?, digits: Int) {
        begin(key)
        if let value, value.isFinite { text += fixed(value, digits: digits) } else { text += "null" }
    }

    /// A value that is already JSON.
    package mutating func raw(_ key: String? = nil, _ value: String) {
        begin(key)
        text += value
    }

    /// The keys of a beacon's identity in every documented format: `uuid`, `major`, `minor`, and `name` if it has one.
    package mutating func identity(_ id: BeaconID, name: String?) {
        value("uuid", id.uuid.description)
        value("major", Int(id.major))
        value("minor", Int(id.minor))
        if let name { value("name", name) }
    }

    private mutating func nest(_ key: String?, _ open: String, _ close: String, _ body: (inout JSONText) -> Void) {
        begin(key)
        text += open
        needsComma = false
        body(&self)
        text += close
        needsComma = true
    }

    private mutating func begin(_ key: String?) {
        if needsComma { text += "," }
        needsComma = true
        if let key { text += Self.quoted(key) + ":" }
    }

    /// RFC 8259, section 7. Invisible characters are escaped too, because JSON is also shown on terminals.
    package static func quoted(_ value: String) -> String {
        quoted(value) { scalar in String(scalar).utf16.map { escape("u", $0, digits: 4) }.joined() }
    }

    /// A backslash, a letter and hexadecimal digits.
    static func escape(_ letter: String, _ value: some BinaryInteger, digits count: Int) -> String {
        let digits = String(value, radix: 16)
        return "\\" + letter + String(repeating: "0", count: max(0, count - digits.count)) + digits
    }

    /// - Parameter escape: writes an invisible character.
    static func quoted(_ value: String, _ escape: (Unicode.Scalar) -> String) -> String {
        var result = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case " "..."~": result.unicodeScalars.append(scalar)
            default:
                switch Visibility(of: scalar) {
                case .plain, .mark, .selector: result.unicodeScalars.append(scalar)
                case .blank, .joiner, .hidden: result += escape(scalar)
                }
            }
        }
        return result + "\""
    }
}

/// A number with a fixed number of decimals, rounded half away from zero, without a locale. Non-finite values become
/// "-".
package func fixed(_ value: Double, digits: Int) -> String {
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let scaled = (value * scale).rounded()
    guard scaled.magnitude < 9e15 else { return value.isFinite ? "\(value)" : "-" }
    let whole = Int(scaled)
    guard digits > 0 else { return String(whole) }
    let text = String(whole.magnitude)
    let padded = String(repeating: "0", count: max(0, digits + 1 - text.count)) + text
    return (whole < 0 ? "-" : "") + padded.dropLast(digits) + "." + padded.suffix(digits)
}
