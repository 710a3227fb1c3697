import Beacon
import BlueZ
import Bus
import HCI
import Radio
import Testing
import TestSupport
import Text

/// The whole way, over a real message bus and against a bluetoothd without hardware.
@Suite(.enabled("\(MockBluez.absence ?? "")") { MockBluez.absence == nil }, .timeLimit(.minutes(10)))
struct BluezListenerTests {
    private let first = "C0:00:00:00:00:01"
    private let second = "C0:00:00:00:00:02"

    private func bluez(
        parameters: String = "{}", adapters: [String] = ["hci0"]
    ) async throws -> MockBluez {
        let bluez = try await MockBluez(try await PrivateBus(), parameters: parameters)
        for adapter in adapters { try await bluez.addAdapter(adapter) }
        return bluez
    }

    // MARK: - Hearing

    @Test("listens by a monitor")
    func monitor() async throws {
        let bluez = try await bluez()
        let listening = ListeningTask(bluez.bus.address, method: .monitor)
        try await listening.waitUntil("the monitor is active") { $0.started == [.monitor] }
        #expect(bluez.program.lines.contains("monitor or_patterns period=0 (yyay) 0:FF:4C000215"))

        #expect(try await bluez.hear(first, rssi: -60))
        try await listening.waitUntil("it is heard") { $0.sightings.count == 1 }
        #expect(
            listening.sightings == [
                Sighting(
                    time: Timestamp(seconds: 1_700_000_000), source: 5, address: DeviceAddress(first),
                    addressType: .random, eventType: nil, rssi: -60, beacon: Announced.beacon())
            ])

        // What `limitation` says: the same level again raises no signal.
        #expect(try await !bluez.hear(first, rssi: -60))
        #expect(try await bluez.hear(first, rssi: -70))
        #expect(try await bluez.hear(second, rssi: -50, minor: 2))
        try await listening.waitUntil("both are heard") { $0.sightings.count == 3 }
        #expect(listening.sightings.map(\.rssi) == [-60, -70, -50])
        #expect(listening.sightings.map(\.beacon.id.minor) == [1, 1, 2])
        let counts = listening.listener.counts
        #expect(counts.iBeacons == 3)
        #expect(counts.malformed == 0)

        try await listening.stop()
        try await bluez.program.waitUntil("the monitor is unregistered") { $0.lines.contains("monitor off") }
        #expect(listening.listener.counts == counts)
        // The next one is told of it.
        #expect(listening.listener.listedBy?.hasPrefix(":") == true)
    }

    @Test(
        "listens by discovery alone where there are no monitors", arguments: [BluezSession.Method.combined, .discovery])
    func discovery(_ method: BluezSession.Method) async throws {
        let bluez = try await bluez(parameters: method == .discovery ? #"{"monitors": false}"# : "{}")
        let listening = ListeningTask(bluez.bus.address)
        try await listening.waitUntil("discovery is on") { $0.started == [method] }
        #expect(bluez.program.lines.contains("filter DuplicateData=1 Transport=le"))

        // With DuplicateData every advertisement is told.
        for _ in 0..<3 { #expect(try await bluez.hear(first, rssi: -60)) }
        try await bluez.hear(first, rssi: -61, minor: 4)
        try await listening.waitUntil("all are heard") { $0.sightings.count == 4 }
        #expect(listening.sightings.map(\.rssi) == [-60, -60, -60, -61])
        #expect(listening.sightings.last?.beacon == Announced.beacon(minor: 4))

        try await listening.stop()
        try await bluez.program.waitUntil("discovery is stopped") { $0.lines.contains("discovery off") }
        #expect(bluez.program.lines.contains("monitor off") == (method == .combined))
    }

    /// The scan of a discovery alone begins anew again and again.
    @Test("a discovery alone is refreshed again and again")
    func refreshedDiscovery() async throws {
        let bluez = try await bluez(parameters: #"{"monitors": false}"#)
        var limits = ListeningTask.patient
        limits.refresh = .milliseconds(20)
        let listening = ListeningTask(bluez.bus.address, limits: limits)
        try await bluez.program.waitUntil("the filter has changed often") {
            $0.lines.count { $0 == "filter DuplicateData=1 RSSI=-127 Transport=le" } > 3
                && $0.lines.count { $0 == "filter DuplicateData=1 Transport=le" } > 3
        }
        // The bus may know of it before the listener's task does.
        try await listening.waitUntil("discovery is on") { $0.started == [.discovery] }
        try await listening.stop()
    }

    @Test("discovery goes on where the monitor fails")
    func discoveryWhereTheMonitorFails() async throws {
        let bluez = try await bluez(parameters: #"{"release": true, "busy": 1}"#)
        let listening = ListeningTask(bluez.bus.address)
        try await listening.waitUntil("discovery is on") { $0.started == [.discovery] }
        try await bluez.hear(first, rssi: -60)
        try await listening.waitUntil("it is heard") { $0.sightings.count == 1 }
        try await listening.stop()
    }

    @Test("each listens to its own adapter")
    func otherAdapter() async throws {
        let bluez = try await bluez(adapters: ["hci0", "hci1"])
        let one = ListeningTask(bluez.bus.address, adapter: 1)
        let zero = ListeningTask(bluez.bus.address)
        try await one.waitUntil("hci1 listens") { !$0.started.isEmpty }
        try await zero.waitUntil("hci0 listens") { !$0.started.isEmpty }
        try await bluez.hear(first, rssi: -60, on: "hci0")
        try await bluez.hear(second, rssi: -70, on: "hci1")
        try await one.waitUntil("it is heard") { !$0.sightings.isEmpty }
        try await zero.waitUntil("it is heard") { !$0.sightings.isEmpty }
        #expect(one.sightings.map(\.rssi) == [-70])
        #expect(zero.sightings.map(\.rssi) == [-60])
        try await one.stop()
        try await zero.stop()
    }

    /// Many announcements, none lost and none out of order.
    @Test("of many announcements none is lost, and none out of order")
    func manyAnnouncements() async throws {
        let bluez = try await bluez()
        let listening = ListeningTask(bluez.bus.address)
        try await listening.waitUntil("it listens") { !$0.started.isEmpty }
        let levels = (0..<500).map { Int16(-40 - $0 % 50) }
        for level in levels { try await bluez.hear(first, rssi: level) }
        try await listening.waitUntil("all are heard") { $0.sightings.count >= levels.count }
        #expect(listening.sightings.map(\.rssi) == levels.map { Int8($0) })
        try await listening.stop()
    }

    // MARK: - Coming and going

    @Test("a restart of bluetoothd is followed")
    func restartOfTheDaemonIsFollowed() async throws {
        let bus = try await PrivateBus()
        let bluez = try await MockBluez(bus)
        try await bluez.addAdapter("hci0")
        let listening = ListeningTask(bus.address)
        try await listening.waitUntil("it listens") { $0.started.count == 1 }
        try await bluez.kill()
        try await listening.waitUntil("it knows") { $0.interruptions.map(\.problem) == ["bluetoothd has ended"] }

        let again = try await MockBluez(bus, parameters: #"{"monitors": false}"#)
        try await again.addAdapter("hci0", isPowered: false)
        try await again.setPower(of: "hci0", true)
        try await listening.waitUntil("it listens again") { $0.started == [.combined, .discovery] }
        try await again.hear(first, rssi: -60)
        try await listening.waitUntil("it is heard") { $0.sightings.count == 1 }
        try await listening.stop()
    }

    @Test("ends when bluetoothd stays away")
    func daemonStaysAway() async throws {
        let bluez = try await bluez()
        var limits = ListeningTask.patient
        limits.startTimeout = .milliseconds(200)
        let listening = ListeningTask(bluez.bus.address, limits: limits)
        try await listening.waitUntil("it listens") { !$0.started.isEmpty }
        try await bluez.kill()
        let error = try await listening.end()
        #expect(error?.code == .disconnected)
        #expect(error?.problem == "bluetoothd has ended")
    }

    @Test("says that the adapter is gone, and waits until it is back")
    func adapterRemovedAndBack() async throws {
        let bluez = try await bluez()
        let listening = ListeningTask(bluez.bus.address)
        try await listening.waitUntil("it listens") { !$0.started.isEmpty }
        try await bluez.removeAdapter("hci0")
        let error = try await listening.end()
        #expect(error?.code == .disconnected)
        #expect(error?.problem == "the adapter is gone from bluetoothd")

        let listener = listening.listener
        let presence = Task { () -> RadioError? in
            do throws(RadioError) {
                try await listener.waitUntilPresent()
                return nil
            } catch {
                return error
            }
        }
        try await bluez.addAdapter("hci0")
        #expect(await presence.value == nil)
        let again = ListeningTask(bluez.bus.address)
        try await again.waitUntil("it listens") { !$0.started.isEmpty }
        try await again.stop()
    }

    @Test("says that the adapter was switched off")
    func switchedOff() async throws {
        let bluez = try await bluez()
        let listening = ListeningTask(bluez.bus.address)
        try await listening.waitUntil("it listens") { !$0.started.isEmpty }
        try await bluez.setPower(of: "hci0", false)
        let error = try await listening.end()
        #expect(error?.code == .disconnected)
        #expect(error?.remedy.contains("bluetoothctl power on") == true)
    }

    @Test("ends with the bus")
    func busEnds() async throws {
        let bluez = try await bluez()
        let listening = ListeningTask(bluez.bus.address)
        try await listening.waitUntil("it listens") { !$0.started.isEmpty }
        try await bluez.bus.stop()
        let error = try await listening.end()
        #expect(error?.code == .disconnected)
        #expect(error?.problem == "the system bus ended the connection")
    }

    // MARK: - What is missing

    @Test("says that the adapter is powered off")
    func poweredOff() async throws {
        let bluez = try await bluez(adapters: [])
        try await bluez.addAdapter("hci0", isPowered: false)
        let error = try await ListeningTask(bluez.bus.address).end()
        #expect(
            error?.description
                == "bluez:hci0: the adapter is powered off; run: bluetoothctl power on; where there are several "
                + "adapters, first: bluetoothctl select 02:00:00:00:00:00")
    }

    @Test("says that there is no such adapter")
    func noSuchAdapter() async throws {
        let bluez = try await bluez(adapters: ["hci1"])
        let error = try await ListeningTask(bluez.bus.address).end()
        #expect(error?.problem == "bluetoothd has no adapter hci0; there is hci1")
    }

    @Test("says that bluetoothd does not run")
    func noDaemon() async throws {
        let bus = try await PrivateBus()
        let error = try await ListeningTask(bus.address).end()
        #expect(error?.code == .cannotOpen)
        #expect(error?.problem == "bluetoothd does not run")
        #expect(error?.remedy.contains("systemctl start bluetooth") == true)
    }

    @Test("says that the bus forbids it")
    func policyForbids() async throws {
        let bus = try await PrivateBus(
            policy: #"<deny send_destination="org.bluez" send_interface="org.freedesktop.DBus.ObjectManager"/>"#)
        let bluez = try await MockBluez(bus)
        try await bluez.addAdapter("hci0")
        let error = try await ListeningTask(bus.address).end()
        #expect(error?.code == .notPermitted)
        #expect(error?.remedy.contains("bluetooth.conf") == true)
    }

    // MARK: - The end

    /// Also while nothing is there yet, and when it is cancelled before it has begun.
    @Test("can be cancelled while it waits, and before it starts")
    func cancelledWhileWaiting() async throws {
        let bus = try await PrivateBus()
        let listener = BluezListener(adapter: 0, bus: bus.address) { _ in }
        let waiting = Task { try await listener.waitUntilPresent() }
        let cancelled = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await listener.run()
        }
        try await cancelled.value
        waiting.cancel()
        try await waiting.value
    }
}

/// What needs no bluetoothd.
@Suite(.timeLimit(.minutes(10))) struct BusConnectionTests {
    @Test("says that there is no bus")
    func noBus() async throws {
        let error = try await ListeningTask(BusAddress("unix:path=/nowhere/socket")).end()
        #expect(error?.code == .cannotOpen)
        #expect(error?.problem.contains("no connection to the system bus at unix:path=/nowhere/socket") == true)
    }

    @Test(
        "says that the address of the bus is wrong",
        arguments: ["", "nonsense", "unix:", "tcp:host=127.0.0.1,port=1", "unix:path=/a\u{0}b", ";;"])
    func badAddress(_ address: String) async throws {
        #expect(try await ListeningTask(BusAddress(address)).end()?.code == .cannotOpen)
    }

    @Test("a call says that there is no bus, before and after the end of the connection")
    func callsWithoutBus() async throws {
        let connection = BusConnection(BusAddress("unix:path=/nowhere/bus"), receiver: Ignoring())
        try connection.start()
        for _ in 0..<20 {
            let error = await #expect(throws: BusError.self) {
                try await connection.call(.call("a.b", "/", "a.b", "M"), timeout: longestWait)
            }
            #expect(error?.name == .noServer)
        }
    }

    /// Somebody listens there, and never speaks.
    @Test("gives up a bus that says nothing")
    func silentBus() async throws {
        let silent = try SilentSocket()
        let connection = BusConnection(
            BusAddress("unix:path=\(silent.path)"), receiver: Ignoring(), connectTimeout: .milliseconds(200))
        try connection.start()
        await #expect(throws: BusError.self) {
            try await connection.call(.call("a.b", "/", "a.b", "M"), timeout: longestWait)
        }
    }

    /// Closing does not wait for it either.
    @Test("can be closed while it connects")
    func closedWhileConnecting() async throws {
        let silent = try SilentSocket()
        let connection = BusConnection(BusAddress("unix:path=\(silent.path)"), receiver: Ignoring())
        try connection.start()
        async let answer = connection.call(.call("a.b", "/", "a.b", "M"), timeout: longestWait)
        connection.close()
        do {
            _ = try await answer
            Issue.record("it was answered")
        } catch let error as BusError {
            #expect(error.name == .disconnected)
        }
        connection.close()
    }

    struct Ignoring: BusReceiver {
        func busDidConnect() {}
        func receive(_ message: BusMessage) {}
        func busDidClose(_ error: BusError?) {}
    }
}

/// Calls over a bus without anybody else on it.
@Suite(.enabled("dbus-daemon is not installed") { MockBluez.busDaemon != nil }, .timeLimit(.minutes(10)))
struct BusCallTests {
    private func connected(_ bus: PrivateBus) throws -> BusConnection {
        let connection = BusConnection(bus.address, receiver: BusConnectionTests.Ignoring())
        try connection.start()
        return connection
    }

    @Test("calls get their answers")
    func answers() async throws {
        let bus = try await PrivateBus()
        let connection = try connected(bus)
        defer { connection.close() }
        let answer = try await connection.call(
            .call("org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "ListNames"))
        #expect(answer.body.first?.elements?.contains(.string("org.freedesktop.DBus")) == true)
    }

    @Test("calls get their failures")
    func failures() async throws {
        let bus = try await PrivateBus()
        let connection = try connected(bus)
        defer { connection.close() }
        do throws(BusError) {
            _ = try await connection.call(.call("org.bluez", "/", "a.b", "M"))
            Issue.record("it was answered")
        } catch {
            #expect(error.name == .serviceUnknown)
        }
        do throws(BusError) {
            _ = try await connection.call(.call("org bluez", "/", "a.b", "M"))
            Issue.record("it was sent")
        } catch {
            #expect(error.name == .unsendable)
        }
    }

    /// A connection that calls itself and never answers: time-out, and cancellation.
    @Test("a call that is not answered times out, and can be cancelled")
    func noAnswer() async throws {
        let bus = try await PrivateBus()
        let connection = try connected(bus)
        defer { connection.close() }
        let name = try await connection.call(
            .call(
                "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "RequestName",
                [.string("org.beacond.Test"), .uint32(0)]))
        #expect(name.body == [.uint32(1)])
        let silent = BusMessage.call("org.beacond.Test", "/", "a.b", "M")
        do throws(BusError) {
            _ = try await connection.call(silent, timeout: .milliseconds(100))
            Issue.record("it was answered")
        } catch {
            #expect(error.name == .noReply)
        }
        let task = Task { () -> BusError.Name? in
            do throws(BusError) {
                _ = try await connection.call(silent, timeout: longestWait)
                return nil
            } catch {
                return error.name
            }
        }
        task.cancel()
        #expect(await task.value == .cancelled)
        // libdbus would answer this by itself; here it is done by hand.
        _ = try await connection.call(.call("org.beacond.Test", "/", "org.freedesktop.DBus.Peer", "Ping"))
    }
}
