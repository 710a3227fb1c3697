import CDBus

/// Where a message bus listens. D-Bus Specification, "Server Addresses".
package struct BusAddress: Hashable, Sendable, CustomStringConvertible {
    /// As in DBUS_SYSTEM_BUS_ADDRESS: `unix:path=…`, several separated by `;`.
    package var description: String

    package init(_ description: String) {
        self.description = description
    }

    /// The socket of the system bus in the specification.
    package static let standardSystem = BusAddress("unix:path=/var/run/dbus/system_bus_socket")

    /// The system bus: DBUS_SYSTEM_BUS_ADDRESS, or the standard socket. A program with file capabilities ignores the
    /// variable, because its caller can set it.
    package static var system: BusAddress {
        guard let variable = cdbus_system_bus_variable(), variable.pointee != 0 else {
            return .standardSystem
        }
        return BusAddress(String(cString: variable))
    }
}
