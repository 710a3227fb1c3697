import Beacon
import HCI
import Listening
import Radio
import Synchronization

/// Listens for some time and counts.
struct ListeningProbe {
    let source: SourceSpec
    let seconds: Double

    func findings() async -> [Finding] {
        let how = Mutex("")
        do {
            let live = try source.makeSource(0)
            let feed = SightingFeed()
            let listening = Task {
                defer { feed.finish() }
                try await live.listen(into: feed, ListeningHandlers(started: { words in how.withLock { $0 = words } }))
            }
            let limit = Task {
                try await Task.sleep(for: .seconds(seconds))
                listening.cancel()
            }
            defer { limit.cancel() }
            var tally = Tally()
            while let batch = await feed.nextBatch() {
                for sighting in batch { tally.add(sighting) }
            }
            try await listening.value
            let name = live.spec.description
            return [Finding("source", .ok, "\(name) listens by \(how.withLock { $0 })")]
                + Self.duplicates(live.tally.interference)
                + [tally.finding(reports: live.tally.counts.reports, seconds: seconds)]
        } catch let error as RadioError {
            return [Finding("listening", .failure, "\(error.place): \(error.problem)", remedy: error.remedy)]
        } catch {
            return [Finding("listening", .failure, "\(error)")]
        }
    }

    /// What other programs did to the scan in that time.
    private static func duplicates(_ interference: Interference) -> [Finding] {
        guard interference != Interference() else { return [] }
        let text = [
            (interference.filtered, "switched the duplicate filter on"), (interference.stopped, "stopped the scan"),
            (interference.resets, "reset the controller"),
        ].filter { $0.0 > 0 }.map { "\($0.1) \($0.0) times" }.joined(separator: ", ")
        return [
            Finding(
                "duplicates", .warning, "another program \(text); the scan was taken back each time",
                remedy: "where much is missed: end the other scan (bluetoothctl scan off), or use --source bluez:hci0")
        ]
    }

    private struct Tally {
        var sightings = 0
        var addresses: Set<DeviceAddress> = []
        var beacons: [BeaconID: Int] = [:]

        /// More than any place has: a flood must not fill the memory.
        static let most = 10_000

        mutating func add(_ sighting: Sighting) {
            sightings += 1
            if let address = sighting.address, addresses.count < Self.most { addresses.insert(address) }
            if beacons.count < Self.most || beacons[sighting.beacon.id] != nil {
                beacons[sighting.beacon.id, default: 0] += 1
            }
        }

        private static func count(_ number: Int, _ one: String, _ many: String? = nil) -> String {
            "\(number) \(number == 1 ? one : many ?? one + "s")"
        }

        func finding(reports: Int, seconds: Double) -> Finding {
            let rate = Double(reports) / seconds
            let text = "\(reports) reports in \(Int(seconds)) s (\(Int(rate.rounded())) a second), "
                + "\(sightings) of iBeacons; \(Self.count(beacons.count, "beacon")), "
                + Self.count(addresses.count, "address", "addresses")
            guard reports > 0 else {
                return Finding(
                    "listening", .warning, "nothing was heard in \(Int(seconds)) s",
                    remedy: "is a Bluetooth device near? Try beacon-advertise on another computer")
            }
            guard !beacons.isEmpty else {
                return Finding(
                    "listening", .warning, text, remedy: "no iBeacon is near: try beacon-advertise on another computer")
            }
            if seconds >= 5, beacons.values.allSatisfy({ $0 == 1 }) {
                return Finding(
                    "listening", .warning, text + "; each was heard once only",
                    remedy: "the controller or another program filters duplicates: stop other scans, or reset it")
            }
            return Finding("listening", .ok, text)
        }
    }
}
