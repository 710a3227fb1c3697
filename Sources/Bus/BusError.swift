/// Why a call over D-Bus failed: the error name of the answer, or one of this program.
package struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error's name; an open set, since every service has its own. D-Bus Specification, "Message Protocol, Errors".
    package struct Name: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        private static func standard(_ name: String) -> Self { Self(rawValue: "org.freedesktop.DBus.Error." + name) }

        /// No answer within the time-out, or the service ended before it answered.
        package static let noReply = standard("NoReply")
        /// The bus's policy forbids it.
        package static let accessDenied = standard("AccessDenied")
        /// No program has the name, and none can be started for it.
        package static let serviceUnknown = standard("ServiceUnknown")
        package static let nameHasNoOwner = standard("NameHasNoOwner")
        package static let unknownMethod = standard("UnknownMethod")
        package static let unknownObject = standard("UnknownObject")
        package static let unknownProperty = standard("UnknownProperty")
        package static let invalidArguments = standard("InvalidArgs")
        /// The connection to the bus was lost.
        package static let disconnected = standard("Disconnected")
        /// Cannot connect to the bus.
        package static let noServer = standard("NoServer")
        package static let noMemory = standard("NoMemory")
        /// Defined by this program: the body of a message is deeper or larger than this program reads.
        package static let excessive = Self(rawValue: "org.beacond.Error.Excessive")
        /// Defined by this program: a value or a name that D-Bus does not allow.
        package static let unsendable = Self(rawValue: "org.beacond.Error.Unsendable")
        /// Defined by this program: the caller was cancelled.
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
