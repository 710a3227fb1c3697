/// Why a call over D-Bus failed: the answer's error name, or one of this program's own.
public struct BusError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The error's name; an open set, since every service has its own. D-Bus Specification, "Message Protocol, Errors".
    public struct Name: RawRepresentable, Hashable, Sendable {
        public var rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        private static func standard(_ name: String) -> Self { Self(rawValue: "org.freedesktop.DBus.Error." + name) }

        /// No answer in time, or the service ended before it answered.
        public static let noReply = standard("NoReply")
        /// The bus's policy forbids it.
        public static let accessDenied = standard("AccessDenied")
        /// Nobody has the name and nobody can be started for it.
        public static let serviceUnknown = standard("ServiceUnknown")
        public static let nameHasNoOwner = standard("NameHasNoOwner")
        public static let unknownMethod = standard("UnknownMethod")
        public static let unknownObject = standard("UnknownObject")
        public static let unknownProperty = standard("UnknownProperty")
        public static let invalidArguments = standard("InvalidArgs")
        /// The connection to the bus is gone.
        public static let disconnected = standard("Disconnected")
        /// No connection to the bus could be made.
        public static let noServer = standard("NoServer")
        public static let noMemory = standard("NoMemory")
        /// This program's own: a message's body is deeper or larger than it is willing to read.
        public static let excessive = Self(rawValue: "org.beacond.Error.Excessive")
        /// This program's own: a value or a name that may not be sent.
        public static let unsendable = Self(rawValue: "org.beacond.Error.Unsendable")
        /// This program's own: the caller was cancelled.
        public static let cancelled = Self(rawValue: "org.beacond.Error.Cancelled")
    }

    public var name: Name
    /// For people; may be empty.
    public var message: String

    public init(_ name: Name, _ message: String = "") {
        self.name = name
        self.message = message
    }

    public var description: String {
        message.isEmpty ? name.rawValue : message
    }
}
