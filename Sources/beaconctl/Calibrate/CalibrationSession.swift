import Beacon
import Console
import Listening
import Ranging
import Settings
import Text

/// Measures at one distance after another, guiding a person where there is one.
struct CalibrationSession {
    /// One distance and its source.
    struct Spot {
        var metres: Double
        var spec: SourceSpec
    }

    let options: SourceOptions
    let site: RangingConfiguration
    let beacon: BeaconQuery?
    let duration: Double?
    let isGuided: Bool
    private var calibration: Calibration?
    private var chosen: (id: BeaconID, claimed: Int8, name: String?, scanner: String)?

    /// The most distances after the first.
    private static let furtherLimit = 3

    init(options: SourceOptions, site: RangingConfiguration, beacon: BeaconQuery?, duration: Double?, isGuided: Bool) {
        self.options = options
        self.site = site
        self.beacon = beacon
        self.duration = duration
        self.isGuided = isGuided
    }

    mutating func measure(_ spots: [Spot]) async throws {
        for spot in spots {
            guard isGuided, !spot.spec.isFile else {
                try await measure(spot)
                continue
            }
            while true {
                try ask("Hold the receiver \(text(spot.metres)) m from \(label), with nothing between. Enter begins.")
                do {
                    try await measure(spot)
                    break
                } catch let problem as CommandFailure where problem.kind == .failure {
                    Program.write("\(problem.message ?? "that was nothing")\n")
                }
            }
        }
    }

    /// Asks for further distances and measures there, until the user presses only Enter.
    mutating func measureFurther(_ specs: [SourceSpec]) async throws {
        for _ in 0..<Self.furtherLimit {
            Program.write("A further distance in metres (2 to 10 tell most about the room; Enter ends): ")
            guard let answer = StandardInput.line(), !answer.isEmpty else { return }
            guard let metres = Double(answer), (0.1...100).contains(metres), calibration?.count(at: metres) == 0 else {
                Program.write("'\(printable(answer))' is no distance from 0.1 to 100 m that is new\n")
                continue
            }
            try await measure([Spot(metres: metres, spec: specs[0])])
        }
    }

    /// The result of all readings.
    ///
    /// - Throws: where there are too few.
    func result() throws(CommandFailure) -> CalibrationResult {
        guard let chosen, let estimate = calibration?.estimate(claimed: chosen.claimed) else {
            throw CommandFailure("nothing was measured")
        }
        return CalibrationResult(
            id: chosen.id, name: chosen.name, scanner: chosen.scanner, estimate: estimate,
            siteExponent: site.settings.pathLossExponent)
    }

    // MARK: - One distance

    private mutating func measure(_ spot: Spot) async throws {
        let inbox = CalibrationInbox()
        let run = try SourceRun(
            options, specs: [spot.spec],
            duration: duration ?? (spot.spec.isFile ? nil : CalibrationConsumer.longestDuration), isFinite: true)
        let query = chosen == nil ? beacon : nil
        let id = chosen?.id
        let limit = duration
        let result = try await run.run {
            CalibrationConsumer(
                inbox, beacon: id, query: query, metres: spot.metres, duration: limit, isLive: !spot.spec.isFile)
        }
        if let problem = result.problem { throw problem }
        var heard = inbox.heard
        heard.names = site.beacons.names(over: heard.names, of: heard.beacons.keys)
        if chosen == nil {
            let id = try heard.choose(beacon)
            chosen = (id, heard.beacons[id]?.claimed ?? 0, heard.names[id], heard.source)
            let correction = site.settings(for: [heard.source]).receiverCorrections[0] ?? 0
            calibration = Calibration(settings: site.settings, receiverCorrection: correction)
        }
        guard let id = chosen?.id else { return }
        let readings = heard.beacons[id]?.readings ?? []
        guard readings.count >= Calibration.minimumReadings else {
            throw CommandFailure("only \(readings.count) readings of \(label) at \(text(spot.metres)) m, and "
                    + "\(Calibration.minimumReadings) are needed: go nearer, or stay longer (--duration)")
        }
        for rssi in readings { calibration?.add(rssi, at: spot.metres) }
    }

    private var label: String {
        chosen.map { $0.name.map(printable) ?? "\($0.id)" } ?? beacon?.description ?? "the beacon"
    }

    private func text(_ metres: Double) -> String {
        metres == metres.rounded() ? fixed(metres, digits: 0) : "\(metres)"
    }

    private func ask(_ question: String) throws(CommandFailure) {
        Program.write(question + " ")
        guard StandardInput.line() != nil else { throw CommandFailure("ended before anything was measured") }
    }
}
