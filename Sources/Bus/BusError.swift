/// Why a call over D-Bus failed: the answer's error name, or one of this program's own.
package struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error's name; an open set, since every service has its own. D-Bus Specification, "Message Protocol, Errors".
    package struct Name: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        private static func standard(_ name: String) -> Self { Self(rawValue: "org.freedesktop.DBus.Error." + name) }

        /// No answer in time, or the service ended before it answered.
        package static let noReply = standard("NoReply")
        /// The bus's policy forbids it.
        package static let accessDenied = standard("AccessDenied")
        /// Nobody has the name and nobody can be started for it.
        package static let serviceUnknown = standard("ServiceUnknown")
        package static let nameHasNoOwner = standard("NameHasNoOwner")
        package static let unknownMethod = standard("UnknownMethod")
        package static let unknownObject = standard("UnknownObject")
        package static let unknownProperty = standard("UnknownProperty")
        package static let invalidArguments = standard("InvalidArgs")
        /// The connection to the bus is gone.
        package static let disconnected = standard("Disconnected")
        /// No connection to the bus could be made.
        package static let noServer = standard("NoServer")
        package static let noMemory = standard("NoMemory")
        /// This program's own: a message's body is deeper or larger than it is willing to read.
        package static let excessive = Self(rawValue: "org.beacond.Error.Excessive")
        /// This program's own: a value or a name that may not be sent.
        package static let unsendable = Self(rawValue: "org.beacond.Error.Unsendable")
        /// This program's own: the caller was cancelled.
        package static let cancelled = Self(rawValue: "org.beacond.Error.Cancelled")
    }

    package var name: Name
    /// For people; may be empty.
    package var message: String

    package init(_ name: Name, _ message: String = "") {
        self.name = name
        self.message = message
    }

    package var description: String {
        message.isEmpty ? name.rawValue : message
    }
}
