package import Bus
package import Radio

/// An adapter in bluetoothd. BlueZ, doc/org.bluez.Adapter.rst.
package struct BluezAdapter: Hashable, Sendable {
    /// The number N in hciN.
    package var index: UInt16
    package var isPowered: Bool
    /// A program lets the adapter scan.
    package var isDiscovering: Bool
    /// Advertisement monitors can be registered.
    package var offersMonitors: Bool

    /// All adapters of bluetoothd, by index.
    ///
    /// - Throws: if the bus or bluetoothd cannot be reached, or if access is denied.
    package static func all(on address: BusAddress = .system) async throws(RadioError) -> [BluezAdapter] {
        let failures = BluezFailure(adapter: 0)
        let connection = BusConnection(address, receiver: Silent())
        do throws(BusError) {
            try connection.start()
            defer { connection.close() }
            let request = BluezRequest(kind: .objects, generation: 0, adapterPath: "/")
            let answer = try await connection.call(request.message)
            return (answer.body.first?.entries ?? [:]).compactMap { path, interfaces in
                BluezAdapter(path: path.text ?? "", interfaces)
            }.sorted { $0.index < $1.index }
        } catch where error.name == .noServer {
            throw failures.busUnreachable(error, address)
        } catch {
            throw failures.failure(of: .objects, error)
        }
    }

    private init?(path: String, _ interfaces: BusValue) {
        guard let adapter = interfaces[BluezNames.adapter], let name = path.split(separator: "/").last,
            name.hasPrefix("hci"), let index = UInt16(name.dropFirst(3))
        else { return nil }
        self.index = index
        isPowered = adapter["Powered"]?.boolean ?? false
        isDiscovering = adapter["Discovering"]?.boolean ?? false
        offersMonitors = interfaces[BluezNames.monitorManager] != nil
    }
}

/// Ignores everything except answers.
private struct Silent: BusReceiver {
    func busDidConnect() {}
    func receive(_ message: BusMessage) {}
    func busDidClose(_ error: BusError?) {}
}
