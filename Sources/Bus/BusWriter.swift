import CDBus

/// Appends values to a message. libdbus ends the process when it receives something that D-Bus does not allow, so
/// everything is checked here first.
enum BusWriter {
    /// - Throws: `unsendable`.
    static func append(_ values: [BusValue], to message: OpaquePointer) throws(BusError) {
        var iterator = DBusMessageIter()
        dbus_message_iter_init_append(message, &iterator)
        for value in values {
            try checkSignature(value.typeSignature)
            try append(value, to: &iterator, depth: 0)
        }
    }

    private static func append(
        _ value: BusValue, to iterator: inout DBusMessageIter, depth: Int
    ) throws(BusError) {
        guard depth <= BusReader.maximumDepth else { throw BusError(.unsendable, "a value is nested too deeply") }
        switch value {
        case .byte(let value): try basic("y", value, to: &iterator)
        case .boolean(let value): try basic("b", dbus_bool_t(value ? 1 : 0), to: &iterator)
        case .int16(let value): try basic("n", value, to: &iterator)
        case .uint16(let value): try basic("q", value, to: &iterator)
        case .int32(let value): try basic("i", value, to: &iterator)
        case .uint32(let value): try basic("u", value, to: &iterator)
        case .int64(let value): try basic("x", value, to: &iterator)
        case .uint64(let value): try basic("t", value, to: &iterator)
        case .double(let value): try basic("d", value, to: &iterator)
        case .string(let value): try text("s", value, cdbus_is_text, to: &iterator)
        case .path(let value): try text("o", value, cdbus_is_path, to: &iterator)
        case .signature(let value): try text("g", value, cdbus_is_signature, to: &iterator)
        case .bytes(let bytes):
            try container("a", "y", in: &iterator) { (inner) throws(BusError) in
                try append(bytes, to: &inner)
            }
        case .array(let elements, let signature):
            try container("a", signature, in: &iterator) { (inner) throws(BusError) in
                for element in elements {
                    try require(element.typeSignature == signature, "an array of \(signature) holds another type")
                    try append(element, to: &inner, depth: depth + 1)
                }
            }
        case .dictionary(let entries, let signature):
            try container("a", "{" + signature + "}", in: &iterator) { (inner) throws(BusError) in
                for (key, value) in entries {
                    try require(
                        key.typeSignature + value.typeSignature == signature,
                        "a dictionary of \(signature) holds another type")
                    try container("e", nil, in: &inner) { (entry) throws(BusError) in
                        try append(key, to: &entry, depth: depth + 1)
                        try append(value, to: &entry, depth: depth + 1)
                    }
                }
            }
        case .structure(let fields):
            try container("r", nil, in: &iterator) { (inner) throws(BusError) in
                for field in fields { try append(field, to: &inner, depth: depth + 1) }
            }
        case .variant(let content):
            let signature = content.typeSignature
            try checkSignature(signature)
            try container("v", signature, in: &iterator) { (inner) throws(BusError) in
                try append(content, to: &inner, depth: depth + 1)
            }
        case .other(let code):
            throw BusError(.unsendable, "a value of type code \(code) cannot be sent")
        }
    }

    // MARK: - Pieces

    private static func basic<Value: BitwiseCopyable>(
        _ code: UnicodeScalar, _ value: Value, to iterator: inout DBusMessageIter
    ) throws(BusError) {
        var value = value
        try requireMemory(dbus_message_iter_append_basic(&iterator, Int32(code.value), &value))
    }

    private static func text(
        _ code: UnicodeScalar, _ text: String, _ isValid: (UnsafePointer<CChar>?) -> Int32,
        to iterator: inout DBusMessageIter
    ) throws(BusError) {
        try check(text, isValid)
        let result = text.withCString { pointer in
            var pointer: UnsafePointer<CChar>? = pointer
            return dbus_message_iter_append_basic(&iterator, Int32(code.value), &pointer)
        }
        try requireMemory(result)
    }

    private static func append(_ bytes: [UInt8], to iterator: inout DBusMessageIter) throws(BusError) {
        // The specification's limit for an array. libdbus treats a larger one as a programming error.
        try require(bytes.count <= 1 << 26, "an array of bytes is longer than 64 MiB")
        let result = bytes.withUnsafeBufferPointer { buffer in
            var start = buffer.baseAddress
            guard start != nil else { return dbus_bool_t(1) }
            return dbus_message_iter_append_fixed_array(
                &iterator, Int32(UInt8(ascii: "y")), &start, Int32(buffer.count))
        }
        try requireMemory(result)
    }

    private static func container(
        _ code: UnicodeScalar, _ signature: String?, in iterator: inout DBusMessageIter,
        _ body: (inout DBusMessageIter) throws(BusError) -> Void
    ) throws(BusError) {
        var inner = DBusMessageIter()
        try requireMemory(dbus_message_iter_open_container(&iterator, Int32(code.value), signature, &inner))
        do throws(BusError) {
            try body(&inner)
        } catch {
            dbus_message_iter_abandon_container(&iterator, &inner)
            throw error
        }
        try requireMemory(dbus_message_iter_close_container(&iterator, &inner))
    }

    // MARK: - Checks

    /// - Throws: if a text is not a valid name of its kind. libdbus would cut a text at a zero byte.
    static func check(_ text: String, _ isValid: (UnsafePointer<CChar>?) -> Int32) throws(BusError) {
        try require(
            !text.utf8.contains(0) && text.withCString { isValid($0) } != 0, "\"\(text)\" is not allowed here")
    }

    private static func checkSignature(_ signature: String) throws(BusError) {
        try require(
            !signature.utf8.contains(0) && signature.withCString { cdbus_is_single_signature($0) } != 0,
            "\"\(signature)\" is no signature of a value")
    }

    private static func require(_ condition: Bool, _ message: String) throws(BusError) {
        guard condition else { throw BusError(.unsendable, message) }
    }

    private static func requireMemory(_ result: dbus_bool_t) throws(BusError) {
        guard result != 0 else { throw BusError(.noMemory, "out of memory") }
    }
}
