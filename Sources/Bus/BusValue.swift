/// A value of a D-Bus message. D-Bus Specification, "Type System".
///
/// Containers carry the signature of their elements, so that an empty one can be sent.
package enum BusValue: Hashable, Sendable {
    /// y
    case byte(UInt8)
    /// b
    case boolean(Bool)
    /// n
    case int16(Int16)
    /// q
    case uint16(UInt16)
    /// i
    case int32(Int32)
    /// u
    case uint32(UInt32)
    /// x
    case int64(Int64)
    /// t
    case uint64(UInt64)
    /// d
    case double(Double)
    /// s
    case string(String)
    /// o
    case path(String)
    /// g
    case signature(String)
    /// ay: arrays of bytes are by far the most frequent, and need no separate value for each byte.
    case bytes([UInt8])
    /// a…, any other array; `of` is the signature of one element.
    case array([BusValue], of: String)
    /// a{…}; `of` is the signature of key and value together, such as "sv". Of several equal keys, the last one
    /// counts.
    case dictionary([BusValue: BusValue], of: String)
    /// (…)
    indirect case structure([BusValue])
    /// v
    indirect case variant(BusValue)
    /// A type that this program does not read (a file descriptor): its type code. It can be received but not sent.
    case other(UInt8)

    /// A dictionary of names and values: a{sv}, the form in which properties are sent.
    package static func properties(_ values: [String: BusValue]) -> BusValue {
        .dictionary(
            Dictionary(uniqueKeysWithValues: values.map { (.string($0.key), .variant($0.value)) }), of: "sv")
    }

    /// The value's signature. D-Bus Specification, "Type Signatures".
    package var typeSignature: String {
        switch self {
        case .byte: "y"
        case .boolean: "b"
        case .int16: "n"
        case .uint16: "q"
        case .int32: "i"
        case .uint32: "u"
        case .int64: "x"
        case .uint64: "t"
        case .double: "d"
        case .string: "s"
        case .path: "o"
        case .signature: "g"
        case .bytes: "ay"
        case .array(_, let element): "a" + element
        case .dictionary(_, let entry): "a{" + entry + "}"
        case .structure(let fields): "(" + fields.map(\.typeSignature).joined() + ")"
        case .variant: "v"
        case .other(let code): String(UnicodeScalar(code))
        }
    }
}

// MARK: - Reading

extension BusValue {
    /// The content of a variant, even if nested; any other value is returned unchanged.
    package var content: BusValue {
        var value = self
        while case .variant(let inner) = value { value = inner }
        return value
    }

    /// A string or an object path.
    package var text: String? {
        switch content {
        case .string(let text), .path(let text): text
        default: nil
        }
    }

    package var boolean: Bool? {
        if case .boolean(let value) = content { value } else { nil }
    }

    /// Any integer; nil if it is above `Int.max`.
    package var integer: Int? {
        switch content {
        case .byte(let value): Int(value)
        case .int16(let value): Int(value)
        case .uint16(let value): Int(value)
        case .int32(let value): Int(value)
        case .uint32(let value): Int(value)
        case .int64(let value): Int(value)
        case .uint64(let value): Int(exactly: value)
        default: nil
        }
    }

    /// An array of bytes.
    package var octets: [UInt8]? {
        if case .bytes(let bytes) = content { bytes } else { nil }
    }

    /// The elements of an array that is not an array of bytes.
    package var elements: [BusValue]? {
        if case .array(let elements, _) = content { elements } else { nil }
    }

    package var entries: [BusValue: BusValue]? {
        if case .dictionary(let entries, _) = content { entries } else { nil }
    }

    /// The value of a name in a dictionary, without its variant; nil if this is not a dictionary or lacks the name.
    package subscript(name: String) -> BusValue? {
        guard let entries else { return nil }
        return (entries[.string(name)] ?? entries[.path(name)])?.content
    }
}
