package import Beacon
package import Bus
package import Radio

/// Advertises an iBeacon through bluetoothd. This needs no privileges, and shares the adapter with everything else
/// that bluetoothd does.
package final class BluezAdvertiser: Sendable {
    /// The differences from advertising by HCI commands that always apply.
    package static let note = """
        through bluetoothd the sender's address is a random one that the kernel chooses and changes, and there is no \
        Flags structure
        """

    private let failures: BluezFailure
    private let adapterPath: String
    private let address: BusAddress
    private let advertisement: LEAdvertisement

    /// - Parameters:
    ///   - index: the number of the adapter, as in `hci0`.
    ///   - interval: milliseconds.
    ///   - bus: the address of bluetoothd's bus; the system bus except in tests.
    package init(adapter index: UInt16, beacon: IBeacon, interval: UInt32, bus: BusAddress = .system) {
        failures = BluezFailure(adapter: index)
        adapterPath = BluezNames.path(ofAdapter: index)
        address = bus
        advertisement = LEAdvertisement(beacon, interval: interval)
    }

    /// Registers the advertisement. When the task is cancelled, unregisters it and returns.
    ///
    /// - Parameter started: called after the registration, with the part of the request that bluetoothd does not carry
    ///   out.
    /// - Throws: if the bus or bluetoothd cannot be reached or access is denied, if the adapter is missing or powered
    ///   off, if bluetoothd refuses, and if it removes the advertisement or ends.
    package func run(started: @Sendable (_ limitation: String?) async -> Void = { _ in }) async throws(RadioError) {
        let object = AdvertisementObject(advertisement)
        let connection = BusConnection(address, receiver: object)
        object.attach(connection)
        do throws(BusError) {
            try connection.start()
        } catch {
            throw failures.busUnreachable(error, address)
        }
        defer { connection.close() }
        let limitation: String?
        do throws(RadioError) {
            limitation = try await register(over: connection, object)
        } catch {
            // bluetoothd may already have read the advertisement, although this did not wait for its answer.
            guard !Task.isCancelled else { return await unregister(over: connection) }
            throw error
        }
        await started(limitation)
        let end = await object.firstEnd()
        guard !Task.isCancelled else { return await unregister(over: connection) }
        throw switch end {
        case .released:
            RadioError(
                .disconnected, at: failures.place, "bluetoothd has taken the advertisement away",
                remedy: "it was stopped, or the adapter was powered off or removed; see: bluetoothctl show")
        case .daemonEnded: failures.daemonEnded()
        case .busEnded: failures.busEnded()
        }
    }

    private func register(
        over connection: BusConnection, _ object: AdvertisementObject
    ) async throws(RadioError) -> String? {
        let rule = "type='signal',sender='\(BluezNames.bus)',interface='\(BluezNames.bus)',member='NameOwnerChanged',"
            + "arg0='\(BluezNames.service)'"
        _ = try await call(
            .call(BluezNames.bus, BluezNames.busPath, BluezNames.bus, "AddMatch", [.string(rule)]), connection, object)
        let answer = try await call(
            .call(BluezNames.service, "/", BluezNames.objectManager, "GetManagedObjects"), connection, object)
        object.noteDaemon(answer.sender)
        let manager = try manager(in: answer.body.first ?? .properties([:]))
        do throws(BusError) {
            _ = try await connection.call(registration)
        } catch {
            throw refused(error, manager)
        }
        let capabilities = manager["SupportedFeatures"]?.elements ?? []
        return capabilities.contains(.string("HardwareOffload"))
            ? nil
            : "the interval is the kernel's: about 100 ms where the controller takes legacy commands, 1.28 s else, "
                + "until bluetoothd has Experimental = true in /etc/bluetooth/main.conf"
    }

    private func manager(in objects: BusValue) throws(RadioError) -> BusValue {
        guard let adapter = objects[adapterPath]?[BluezNames.adapter] else {
            let present = (objects.entries ?? [:]).compactMap { path, interfaces in
                interfaces[BluezNames.adapter] == nil ? nil : path.text?.split(separator: "/").last.map(String.init)
            }
            throw failures.noAdapter(present: present.sorted())
        }
        guard adapter["Powered"]?.boolean != false else {
            throw failures.poweredOff(address: adapter["Address"]?.text, isBlocked: false)
        }
        guard let manager = objects[adapterPath]?[BluezNames.advertisingManager] else {
            throw RadioError(
                .refused, at: failures.place, "bluetoothd offers no advertising for this adapter",
                remedy: "advertise by commands of its own: --mode hci")
        }
        return manager
    }

    private var registration: BusMessage {
        .call(
            BluezNames.service, adapterPath, BluezNames.advertisingManager, "RegisterAdvertisement",
            [.path(LEAdvertisement.path), .properties([:])])
    }

    private func unregister(over connection: BusConnection) async {
        let message = BusMessage.call(
            BluezNames.service, adapterPath, BluezNames.advertisingManager, "UnregisterAdvertisement",
            [.path(LEAdvertisement.path)])
        // The task is cancelled, but bluetoothd must still get this call.
        await Task { _ = try? await connection.call(message, timeout: .seconds(2)) }.value
    }

    private func call(
        _ message: BusMessage, _ connection: BusConnection, _ object: AdvertisementObject
    ) async throws(RadioError) -> BusMessage {
        do throws(BusError) {
            return try await connection.call(message)
        } catch where error.name == .noServer {
            throw failures.busUnreachable(error, address)
        } catch {
            if let problem = object.connectionError { throw failures.busUnreachable(problem, address) }
            throw failures.failure(of: .objects, error)
        }
    }

    private func refused(_ error: BusError, _ manager: BusValue) -> RadioError {
        switch error.name.rawValue {
        case "org.bluez.Error.NotPermitted":
            let active = manager["ActiveInstances"]?.integer.map { " (\($0) are active)" } ?? ""
            return RadioError(
                .refused, at: failures.place, "bluetoothd has no room for another advertisement\(active)",
                remedy: "end one of the others; see: bluetoothctl show")
        case "org.bluez.Error.InvalidLength", "org.bluez.Error.Failed", "org.bluez.Error.InvalidArguments":
            return RadioError(
                .refused, at: failures.place, "bluetoothd does not take the advertisement: \(error)",
                remedy: "see: journalctl -u bluetooth; or advertise by commands of its own: --mode hci")
        default:
            return failures.failure(of: .objects, error)
        }
    }
}
