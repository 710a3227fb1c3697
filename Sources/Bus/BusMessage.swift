import CDBus

/// A D-Bus message: a call, its answer, or a signal. D-Bus Specification, "Message Protocol".
package struct BusMessage: Hashable, Sendable {
    /// An open set: messages of unknown types must be ignored.
    package struct Kind: RawRepresentable, Hashable, Sendable {
        package var rawValue: Int32

        package init(rawValue: Int32) {
            self.rawValue = rawValue
        }

        package static let call = Kind(rawValue: 1)
        package static let answer = Kind(rawValue: 2)
        package static let error = Kind(rawValue: 3)
        package static let signal = Kind(rawValue: 4)
    }

    package var kind: Kind
    /// The object that is called or that sends a signal.
    package var path: String?
    package var interface: String?
    package var member: String?
    /// Only in an error.
    package var errorName: BusError.Name?
    /// The sender's unique name, set by the bus; `org.freedesktop.DBus` for the bus itself.
    package var sender: String?
    package var destination: String?
    /// The sender's serial number of this message; 0 before it is sent.
    package var serial: UInt32 = 0
    /// The serial of the call that this message answers.
    package var replySerial: UInt32 = 0
    /// A call that expects no answer.
    package var wantsNoReply = false
    package var body: [BusValue]
    /// The body exceeded the limits and was omitted.
    package var isExcessive = false

    private init(_ kind: Kind, body: [BusValue] = []) {
        self.kind = kind
        self.body = body
    }
}

// MARK: - Creating

extension BusMessage {
    package static func call(
        _ destination: String, _ path: String, _ interface: String, _ member: String, _ body: [BusValue] = []
    ) -> BusMessage {
        var message = BusMessage(.call, body: body)
        message.destination = destination
        message.path = path
        message.interface = interface
        message.member = member
        return message
    }

    /// A signal, by default to all subscribers.
    package static func signal(
        _ path: String, _ interface: String, _ member: String, _ body: [BusValue] = [], to destination: String? = nil
    ) -> BusMessage {
        var message = BusMessage(.signal, body: body)
        message.path = path
        message.interface = interface
        message.member = member
        message.destination = destination
        return message
    }

    /// The answer to this call.
    package func answer(_ body: [BusValue] = []) -> BusMessage {
        var message = BusMessage(.answer, body: body)
        message.destination = sender
        message.replySerial = serial
        return message
    }

    /// An error as the answer to this call.
    package func failure(_ error: BusError) -> BusMessage {
        var message = BusMessage(.error, body: [.string(error.message)])
        message.destination = sender
        message.replySerial = serial
        message.errorName = error.name
        return message
    }

    /// The error in an error message or in a message that exceeds the limits; nil for every other message.
    package var failure: BusError? {
        if isExcessive { return BusError(.excessive, "the message has more in it than is read") }
        guard kind == .error else { return nil }
        return BusError(errorName ?? BusError.Name(rawValue: ""), body.first?.text ?? "")
    }
}

// MARK: - From and to libdbus

extension BusMessage {
    /// Reads a message of libdbus. Never fails: a body that exceeds the limits is omitted.
    init(_ message: OpaquePointer) {
        kind = Kind(rawValue: dbus_message_get_type(message))
        path = Self.text(dbus_message_get_path(message))
        interface = Self.text(dbus_message_get_interface(message))
        member = Self.text(dbus_message_get_member(message))
        errorName = Self.text(dbus_message_get_error_name(message)).map(BusError.Name.init(rawValue:))
        sender = Self.text(dbus_message_get_sender(message))
        destination = Self.text(dbus_message_get_destination(message))
        serial = dbus_message_get_serial(message)
        replySerial = dbus_message_get_reply_serial(message)
        wantsNoReply = dbus_message_get_no_reply(message) != 0
        do throws(BusError) {
            body = try BusReader.body(of: message)
        } catch {
            body = []
            isExcessive = true
        }
    }

    private static func text(_ pointer: UnsafePointer<CChar>?) -> String? {
        pointer.map { String(cString: $0) }
    }

    /// The message as a libdbus object; the caller releases it with `dbus_message_unref`.
    ///
    /// - Throws: `unsendable`.
    func made() throws(BusError) -> OpaquePointer {
        guard (Kind.call.rawValue...Kind.signal.rawValue).contains(kind.rawValue),
            let message = dbus_message_new(kind.rawValue)
        else { throw BusError(.unsendable, "a message of kind \(kind.rawValue) cannot be sent") }
        do throws(BusError) {
            try checkParts()
            try fillIn(message)
            return message
        } catch {
            dbus_message_unref(message)
            throw error
        }
    }

    private func checkParts() throws(BusError) {
        let isComplete =
            switch kind {
            case .call: path != nil && member != nil
            case .signal: path != nil && interface != nil && member != nil
            case .error: replySerial != 0 && errorName != nil
            default: replySerial != 0
            }
        guard isComplete else { throw BusError(.unsendable, "a message lacks what its kind needs") }
        if let path { try BusWriter.check(path, cdbus_is_path) }
        if let interface { try BusWriter.check(interface, cdbus_is_interface) }
        if let member { try BusWriter.check(member, cdbus_is_member) }
        if let errorName { try BusWriter.check(errorName.rawValue, cdbus_is_error_name) }
        if let destination { try BusWriter.check(destination, cdbus_is_bus_name) }
        if let sender { try BusWriter.check(sender, cdbus_is_bus_name) }
    }

    private func fillIn(_ message: OpaquePointer) throws(BusError) {
        // The sender is not set: the bus does that.
        var result: dbus_bool_t = 1
        if let path { result &= dbus_message_set_path(message, path) }
        if let interface { result &= dbus_message_set_interface(message, interface) }
        if let member { result &= dbus_message_set_member(message, member) }
        if let errorName { result &= dbus_message_set_error_name(message, errorName.rawValue) }
        if let destination { result &= dbus_message_set_destination(message, destination) }
        if replySerial != 0 { result &= dbus_message_set_reply_serial(message, replySerial) }
        guard result != 0 else { throw BusError(.noMemory, "out of memory") }
        dbus_message_set_no_reply(message, wantsNoReply ? 1 : 0)
        try BusWriter.append(body, to: message)
    }
}

// MARK: - From and to bytes

extension BusMessage {
    /// Reads the wire form of one message.
    ///
    /// - Throws: `invalidArguments` if the bytes are not a message.
    package init(marshalled bytes: [UInt8]) throws(BusError) {
        var error = DBusError()
        dbus_error_init(&error)
        defer { dbus_error_free(&error) }
        let message = bytes.withUnsafeBytes { buffer in
            dbus_message_demarshal(
                buffer.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(clamping: buffer.count), &error)
        }
        guard let message else {
            throw BusError(.invalidArguments, error.message.map { String(cString: $0) } ?? "no message")
        }
        defer { dbus_message_unref(message) }
        self.init(message)
    }

    /// The wire form of the message.
    ///
    /// - Parameter serial: the message's serial number, not 0.
    package func marshalled(serial: UInt32 = 1) throws(BusError) -> [UInt8] {
        let message = try made()
        defer { dbus_message_unref(message) }
        if let sender { dbus_message_set_sender(message, sender) }
        dbus_message_set_serial(message, max(1, serial))
        var start: UnsafeMutablePointer<CChar>?
        var count: Int32 = 0
        guard dbus_message_marshal(message, &start, &count) != 0, let start else {
            throw BusError(.noMemory, "out of memory")
        }
        defer { dbus_free(start) }
        return UnsafeBufferPointer(start: start, count: Int(max(0, count))).map(UInt8.init(bitPattern:))
    }
}
