import CDBus

/// Reads the body of a message. libdbus already checked the bytes against the signature. This type limits how deep and
/// how large a body the program reads.
struct BusReader {
    /// Nested containers. The specification allows 64.
    static let maximumDepth = 32
    /// Values in one message; the bytes in an array of bytes are not counted.
    static let maximumValues = 1_000_000

    private var remaining = Self.maximumValues

    /// All arguments of a message.
    ///
    /// - Throws: `excessive`.
    static func body(of message: OpaquePointer) throws(BusError) -> [BusValue] {
        var iterator = DBusMessageIter()
        guard dbus_message_iter_init(message, &iterator) != 0 else { return [] }
        var reader = BusReader()
        return try reader.sequence(&iterator, depth: 0)
    }

    private mutating func sequence(_ iterator: inout DBusMessageIter, depth: Int) throws(BusError) -> [BusValue] {
        var values: [BusValue] = []
        while dbus_message_iter_get_arg_type(&iterator) != 0 {
            values.append(try value(&iterator, depth: depth))
            dbus_message_iter_next(&iterator)
        }
        return values
    }

    private mutating func value(_ iterator: inout DBusMessageIter, depth: Int) throws(BusError) -> BusValue {
        remaining -= 1
        guard depth <= Self.maximumDepth, remaining >= 0 else {
            throw BusError(.excessive, "a message has more in it than is read")
        }
        let code = UInt8(truncatingIfNeeded: dbus_message_iter_get_arg_type(&iterator))
        switch code {
        case UInt8(ascii: "y"): return .byte(basic(&iterator, 0))
        case UInt8(ascii: "b"): return .boolean(basic(&iterator, dbus_bool_t(0)) != 0)
        case UInt8(ascii: "n"): return .int16(basic(&iterator, 0))
        case UInt8(ascii: "q"): return .uint16(basic(&iterator, 0))
        case UInt8(ascii: "i"): return .int32(basic(&iterator, 0))
        case UInt8(ascii: "u"): return .uint32(basic(&iterator, 0))
        case UInt8(ascii: "x"): return .int64(basic(&iterator, 0))
        case UInt8(ascii: "t"): return .uint64(basic(&iterator, 0))
        case UInt8(ascii: "d"): return .double(basic(&iterator, 0))
        case UInt8(ascii: "s"): return .string(text(&iterator))
        case UInt8(ascii: "o"): return .path(text(&iterator))
        case UInt8(ascii: "g"): return .signature(text(&iterator))
        case UInt8(ascii: "a"): return try array(&iterator, depth: depth + 1)
        case UInt8(ascii: "r"):
            var inner = DBusMessageIter()
            dbus_message_iter_recurse(&iterator, &inner)
            return .structure(try sequence(&inner, depth: depth + 1))
        case UInt8(ascii: "v"):
            var inner = DBusMessageIter()
            dbus_message_iter_recurse(&iterator, &inner)
            return .variant(try value(&inner, depth: depth + 1))
        default:
            // A file descriptor stays in the message, which closes it.
            return .other(code)
        }
    }

    private func basic<Value: BitwiseCopyable>(_ iterator: inout DBusMessageIter, _ initial: Value) -> Value {
        var value = initial
        dbus_message_iter_get_basic(&iterator, &value)
        return value
    }

    private func text(_ iterator: inout DBusMessageIter) -> String {
        var pointer: UnsafePointer<CChar>?
        dbus_message_iter_get_basic(&iterator, &pointer)
        return pointer.map { String(cString: $0) } ?? ""
    }

    private mutating func array(_ iterator: inout DBusMessageIter, depth: Int) throws(BusError) -> BusValue {
        var inner = DBusMessageIter()
        dbus_message_iter_recurse(&iterator, &inner)
        switch UInt8(truncatingIfNeeded: dbus_message_iter_get_element_type(&iterator)) {
        case UInt8(ascii: "y"):
            var start: UnsafePointer<UInt8>?
            var count: Int32 = 0
            dbus_message_iter_get_fixed_array(&inner, &start, &count)
            return .bytes(Array(UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(max(0, count)))))
        case UInt8(ascii: "e"):
            let entry = elementSignature(&inner)
            return .dictionary(try entries(&inner, depth: depth), of: String(entry.dropFirst().dropLast()))
        default:
            let element = elementSignature(&inner)
            return .array(try sequence(&inner, depth: depth), of: element)
        }
    }

    private mutating func entries(
        _ iterator: inout DBusMessageIter, depth: Int
    ) throws(BusError) -> [BusValue: BusValue] {
        var entries: [BusValue: BusValue] = [:]
        while dbus_message_iter_get_arg_type(&iterator) != 0 {
            var inner = DBusMessageIter()
            dbus_message_iter_recurse(&iterator, &inner)
            let key = try value(&inner, depth: depth + 1)
            dbus_message_iter_next(&inner)
            entries[key] = try value(&inner, depth: depth + 1)
            dbus_message_iter_next(&iterator)
        }
        return entries
    }

    /// The signature of the element at an iterator inside an array, even if the array is empty.
    private func elementSignature(_ iterator: inout DBusMessageIter) -> String {
        guard let text = dbus_message_iter_get_signature(&iterator) else { return "" }
        defer { dbus_free(text) }
        return String(cString: text)
    }
}
