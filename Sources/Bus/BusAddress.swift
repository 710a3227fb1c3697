import CDBus

/// Where a message bus listens. D-Bus Specification, "Server Addresses".
public struct BusAddress: Hashable, Sendable, CustomStringConvertible {
    /// As in DBUS_SYSTEM_BUS_ADDRESS: `unix:path=…`, several parted by `;`.
    public var description: String

    public init(_ description: String) {
        self.description = description
    }

    /// The socket that the specification names for the system's bus.
    public static let standardSystem = BusAddress("unix:path=/var/run/dbus/system_bus_socket")

    /// The system's bus: DBUS_SYSTEM_BUS_ADDRESS, or the standard socket. A program with capabilities on its file
    /// does not let its caller choose.
    public static var system: BusAddress {
        guard let variable = cdbus_system_bus_variable(), variable.pointee != 0 else {
            return .standardSystem
        }
        return BusAddress(String(cString: variable))
    }
}
