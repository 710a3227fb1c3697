import Beacon
import Doctor
import Listening
import Radio
import Synchronization
import Testing

@Suite("The doctor", .timeLimit(.minutes(10)))
struct DoctorTests {
    private static let adapter = LinuxAdapter(
        index: 0, address: DeviceAddress(0x0102_0304_0506), isUp: true, hasLowEnergy: true)

    /// Every probe finds something good, named as itself.
    private func healthy() -> Probes {
        Probes(
            kernel: { _ in ([Finding("kernel", .ok, "")], Self.adapter) },
            rights: { _ in [Finding("rights", .ok, "")] },
            features: { _ in [Finding("features", .ok, "")] }, neighbours: { _ in [Finding("neighbours", .ok, "")] },
            bluetoothd: { _, isSource in [Finding("bluetoothd", .ok, isSource ? "source" : "")] },
            listening: { source, seconds in [Finding("listening", .ok, "\(source) for \(Int(seconds)) s")] },
            clock: { Finding("clock", .ok, "") })
    }

    private func findings(_ probes: Probes, _ source: String? = nil) async throws -> [Finding] {
        var doctor = Doctor(probes: probes)
        doctor.source = try source.map { try SourceSpec($0) }
        doctor.listening = 3
        let found = Mutex<[Finding]>([])
        await doctor.examine { _, findings in found.withLock { $0 += findings } }
        return found.withLock { $0 }
    }

    @Test("makes all checks of an adapter, in the order in which one depends on the other")
    func order() async throws {
        let all = try await findings(healthy())
        #expect(
            all.map(\.check)
                == ["kernel", "rights", "features", "neighbours", "bluetoothd", "listening", "clock"])
        #expect(all[5].detail == "auto for 3 s")
    }

    @Test("asks no controller through bluetoothd, and says that bluetoothd is the source")
    func bluetoothd() async throws {
        let all = try await findings(healthy(), "bluez:hci0")
        #expect(all.map(\.check) == ["kernel", "rights", "neighbours", "bluetoothd", "listening", "clock"])
        #expect(all[3].detail == "source")
    }

    @Test("leaves the kernel out of it where it is not on the way", arguments: ["sim", "h4:tcp:localhost:1"])
    func withoutKernel(_ source: String) async throws {
        var probes = healthy()
        probes.kernel = { _ in ([Finding("kernel", .failure, "none")], nil) }
        #expect(try await findings(probes, source).map(\.check) == ["listening", "clock"])
    }

    @Test("does not try to listen after a failure, asks no controller, and still looks at the rest")
    func hopeless() async throws {
        var probes = healthy()
        probes.rights = { _ in [Finding("rights", .failure, "missing", remedy: "give them")] }
        probes.listening = { _, _ in
            Issue.record("listens")
            return []
        }
        let all = try await findings(probes)
        #expect(all.map(\.check) == ["kernel", "rights", "neighbours", "bluetoothd", "listening", "clock"])
        #expect(all[4].verdict == .failure && all[4].detail == "not tried" && !all[4].remedy.isEmpty)
    }

    @Test("a warning keeps it from nothing, and neither does a failure of what is not used")
    func warnings() async throws {
        var probes = healthy()
        let bad = Finding("adapter hci1", .failure, "down", remedy: "bring it up")
        probes.kernel = { _ in ([bad.lessened], Self.adapter) }
        probes.rights = { _ in [Finding("rights", .warning, "few")] }
        let all = try await findings(probes)
        #expect(all.map(\.verdict) == [.warning, .warning, .ok, .ok, .ok, .ok, .ok])
        #expect(all[0].detail == "down" && all[0].remedy == "bring it up")
        #expect(Finding("x", .ok, "").lessened.verdict == .ok)
    }

    @Test("ends where nobody waits any more, and says nothing of the check that was cut short")
    func cancelled() async throws {
        var probes = healthy()
        probes.neighbours = { _ in
            withUnsafeCurrentTask { $0?.cancel() }
            return [Finding("neighbours", .failure, "cut short")]
        }
        var doctor = Doctor(probes: probes)
        doctor.source = .auto
        let made = Mutex<[Doctor.Check]>([])
        await Task { [doctor] in
            await doctor.examine { check, _ in made.withLock { $0.append(check) } }
        }.value
        #expect(made.withLock { $0 } == [.kernel, .rights, .controller])
        #expect(doctor.checks == Doctor.Check.allCases)
    }

    @Test("without an adapter there is nothing to ask about it")
    func noAdapter() async throws {
        var probes = healthy()
        probes.kernel = { _ in ([Finding("adapter", .failure, "none is there")], nil) }
        #expect(try await findings(probes).map(\.check) == ["adapter", "rights", "listening", "clock"])
    }

    @Test("what is real says something about the emulated air, with a remedy for all that is wrong")
    func real() async throws {
        var doctor = Doctor()
        doctor.source = try SourceSpec("sim")
        var all: [Finding] = []
        // A busy machine may let nothing be heard in a second.
        for seconds in [1.0, 5, 25] where all.count < 2 || all[1].verdict != .ok {
            doctor.listening = seconds
            let found = Mutex<[Finding]>([])
            await doctor.examine { _, findings in found.withLock { $0 += findings } }
            all = found.withLock { $0 }
        }
        #expect(all.map(\.check) == ["source", "listening", "clock"])
        #expect(all[0].verdict == .ok && all[1].verdict == .ok, "\(all)")
        #expect(all.allSatisfy { $0.verdict == .ok || !$0.remedy.isEmpty || $0.check == "clock" })
    }
}

@Suite("The doctor's listening test")
struct ListeningTallyTests {
    private func sighting(_ minor: UInt16, from address: UInt8) -> Sighting {
        Sighting(
            time: nil, address: DeviceAddress(UInt64(address)), rssi: -60,
            beacon: IBeacon(id: BeaconID(uuid: ProximityUUID(1), major: 1, minor: minor), measuredPower: -59))
    }

    private func finding(_ heard: [(minor: UInt16, address: UInt8)], reports: Int, seconds: Double = 10) -> Finding {
        var tally = ListeningTally()
        for (minor, address) in heard { tally.add(sighting(minor, from: address)) }
        return tally.finding(reports: reports, seconds: seconds)
    }

    @Test("counts reports, beacons and addresses")
    func counts() {
        let mixed = finding([(1, 1), (1, 1), (2, 2)], reports: 25)
        #expect(mixed.verdict == .ok && mixed.remedy.isEmpty)
        #expect(mixed.detail == "25 reports in 10 s (3 a second), 3 of iBeacons; 2 beacons, 2 addresses")
        #expect(finding([(1, 1), (1, 1)], reports: 2).detail.hasSuffix("1 beacon, 1 address"))
    }

    @Test("silence, no iBeacon, and each heard once only are warnings, each with what to do")
    func warnings() {
        let silent = finding([], reports: 0)
        let others = finding([], reports: 9)
        let once = finding([(1, 1), (2, 2)], reports: 2)
        for finding in [silent, others, once] { #expect(finding.verdict == .warning && !finding.remedy.isEmpty) }
        #expect(silent.detail == "nothing was heard in 10 s")
        #expect(once.detail.hasSuffix("each was heard once only"))
        // In a short time that is no wonder.
        #expect(finding([(1, 1)], reports: 1, seconds: 4).verdict == .ok)
    }
}
