package import Beacon
package import Ranging
package import Text

/// Explains why a beacon is ranked as it is, for people and for programs.
package struct ExplanationText: Sendable {
    private let explanation: BeaconExplanation
    private let names: [BeaconID: String]
    private let sources: [String]
    private let content: ContentExplanation?

    /// The most readings in the text for people.
    private static let readingsShown = 12

    /// - Parameters:
    ///   - sources: the names of the receivers, by index.
    ///   - content: nil if no content is kept.
    package init(
        _ explanation: BeaconExplanation, names: [BeaconID: String], sources: [String],
        content: ContentExplanation? = nil
    ) {
        self.explanation = explanation
        self.names = names
        self.sources = sources
        self.content = content
    }

    // MARK: - Text

    /// For people: from the readings to the decision, one line per step.
    package func text(_ terminal: Terminal) -> String {
        let pm = terminal.hasBlocks ? "±" : "+-"
        var rows: [(String, String)] = []
        rows.append(("at", explanation.time.rfc3339))
        rows.append(("presence", presence))
        rows.append(("readings", readings))
        for receiver in explanation.receivers {
            rows.append((
                "level", "\(fixed(receiver.filteredRSSI, digits: 1)) \(pm) \(deviation(receiver.variance)) dBm from "
                    + "\(name(of: receiver.source)), of \(receiver.count) reading\(receiver.count == 1 ? "" : "s")"
                        + (receiver.isUsed || explanation.receivers.count == 1
                            ? "" : " (another receiver hears it better)")
                ))
        }
        if explanation.receivers.isEmpty { rows.append(("level", "none: no reading had one")) }
        rows.append(("power", power))
        rows.append(("distance", distance(terminal)))
        rows.append(("proximity", explanation.proximity.rawValue))
        rows += nearest.map { ("nearest", $0) }
        rows.append(("allowance", allowance))
        let regions = explanation.regions.map(printable).joined(separator: ", ")
        rows.append(("regions", regions.isEmpty ? "none" : regions))
        if explanation.isRotating { rows.append(("address", "rotates: it was heard from many addresses")) }
        rows.append(("content", content.map { printable($0.reason) } ?? "not known here: the daemon keeps it"))
        rows += explanation.decisions.map { ("history", "\($0.time.rfc3339)  \(history($0))") }

        let known = names[explanation.id] != nil ? "  " + identity(explanation.id) : ""
        let title = terminal.limit.map { wrapped(name(explanation.id) + known, $0) } ?? [name(explanation.id) + known]
        var table = TextRows(width: 11, indent: 2)
        for (label, value) in rows { table.add(label, value) }
        let lines = title.enumerated().map { $0.offset == 0 ? terminal.styled($0.element, .bold) : $0.element }
        return (lines + table.lines(terminal)).joined(separator: "\n") + "\n"
    }

    private var presence: String {
        let times = "heard \(seconds(explanation.silence)) ago, expected every \(seconds(explanation.interval))"
        return explanation.isPresent
            ? "present; \(times); exits after \(seconds(explanation.exitTime)) of silence" : "has exited; \(times)"
    }

    private var readings: String {
        let shown = explanation.readings.prefix(Self.readingsShown).map { reading in
            let receiver = explanation.receivers.count > 1 ? " \(name(of: reading.source))" : ""
            return "\(reading.rssi)\(receiver) (\(seconds(max(0, explanation.time.seconds(since: reading.time)))))"
        }
        let rest = explanation.readings.count - shown.count
        return shown.isEmpty
            ? "none had a level"
            : "dBm (age)  " + shown.joined(separator: "  ") + (rest > 0 ? "  and \(rest) older" : "")
    }

    private var power: String {
        let claimed = "\(explanation.claimedPower) dBm at 1 m claimed"
        let corrected = fixed(explanation.measuredPower, digits: 1)
        return Double(explanation.claimedPower) == explanation.measuredPower
            ? claimed + ", no correction" : claimed + ", \(corrected) after correction"
    }

    private func distance(_ terminal: Terminal) -> String {
        guard let distance = explanation.distance else { return "unknown: there is no level" }
        let dash = terminal.hasBlocks ? "–" : "-"
        return "\(fixed(distance.metres, digits: 1)) m; in 8 of 10 cases \(fixed(distance.low, digits: 1))\(dash)"
            + "\(fixed(distance.high, digits: 1)) m"
    }

    private var nearest: [String] {
        guard !explanation.isNearest else { return ["yes"] }
        guard let verdict = explanation.verdict, let holder = verdict.holder else { return ["no beacon is"] }
        var lines = ["no: \(name(holder)) is, and \(refusal(verdict))"]
        if let probability = explanation.probabilityNearer {
            let percent =
                probability < 0.01
                ? "less than 1" : probability > 0.99 ? "more than 99" : fixed(100 * probability, digits: 0)
            lines.append("by level alone this one is nearer with \(percent) % probability")
        }
        if let seconds = explanation.secondsToNearest {
            lines.append("it will be in \(self.seconds(seconds)) if its lead stays as it is")
        }
        return lines
    }

    private var allowance: String {
        let size = "\(fixed(explanation.allowance.magnitude, digits: 1)) dB"
        return switch explanation.allowance {
        case 0.05...: "\(size) for the nearest: it has been heard weakly so far, and may claim too much"
        case ...(-0.05): "-\(size) for the nearest: it has been strong everywhere so far, and may claim too little"
        default: "none: its power is known, or there is no past yet"
        }
    }

    private func refusal(_ decision: NearestDecision) -> String {
        let lead = fixed(decision.lead.magnitude, digits: 1)
        let evidence = "\(fixed(decision.evidence, digits: 1)) of \(fixed(decision.needed, digits: 1)) dB s"
        return switch decision.reason {
        case .behind: "this one is \(lead) dB weaker"
        case .withinMargin: "this one is only \(lead) dB stronger, which is within the margin"
        case .tooShort: "this one, \(lead) dB stronger, has not led for long enough (\(evidence))"
        case .stale: "this one was not heard recently"
        case .first, .gone, .ledAll, .ledNearest: "this one may take its place (\(evidence))"
        }
    }

    private func history(_ decision: NearestDecision) -> String {
        let winner = decision.challenger.map(name) ?? "nobody"
        let evidence = "\(fixed(decision.lead, digits: 1)) dB stronger, \(fixed(decision.evidence, digits: 1)) of "
            + "\(fixed(decision.needed, digits: 1)) dB s gathered"
        let loser = decision.holder.map(name) ?? "nobody"
        return switch decision.reason {
        case .first: "\(winner) became the nearest: there was none"
        case .gone: "\(winner) became the nearest: \(loser) had exited"
        case .ledAll: "\(winner) took it from \(loser): it led all others (\(evidence))"
        case .ledNearest: "\(winner) took it from \(loser), though others dispute it (\(evidence))"
        case .behind, .withinMargin, .tooShort, .stale: "\(winner) did not take it from \(loser): \(refusal(decision))"
        }
    }

    private func seconds(_ value: Double) -> String { fixed(value, digits: value < 10 ? 1 : 0) + " s" }

    private func deviation(_ variance: Double) -> String { fixed(max(0, variance).squareRoot(), digits: 1) }

    private func name(of source: SourceID) -> String {
        sources.indices.contains(source.place) ? sources[source.place] : "receiver \(source)"
    }

    private func identity(_ id: BeaconID) -> String { "\(id.uuid.uppercased)/\(id.major)/\(id.minor)" }

    private func name(_ id: BeaconID) -> String { names[id].map(printable) ?? identity(id) }

    // MARK: - JSON

    /// One JSON object and a line break.
    package var json: String {
        var json = JSONText()
        json.object { json in
            json.identity(explanation.id, name: names[explanation.id])
            json.value("time", explanation.time.rfc3339)
            json.value("present", explanation.isPresent)
            json.value("silence_s", explanation.silence, digits: 3)
            json.value("interval_s", explanation.interval, digits: 3)
            json.value("exit_s", explanation.exitTime, digits: 3)
            json.array("readings") { json in
                for reading in explanation.readings {
                    json.object { json in
                        json.value("time", reading.time.rfc3339)
                        json.value("rssi", Int(reading.rssi))
                        json.value("source", name(of: reading.source))
                    }
                }
            }
            json.array("receivers") { json in
                for receiver in explanation.receivers {
                    json.object { json in
                        json.value("source", name(of: receiver.source))
                        json.value("rssi_filtered", receiver.filteredRSSI, digits: 1)
                        json.value("deviation_db", receiver.variance.squareRoot(), digits: 2)
                        json.value("count", receiver.count)
                        json.value("used", receiver.isUsed)
                    }
                }
            }
            json.value("rssi_filtered", explanation.filteredRSSI, digits: 1)
            json.value("deviation_db", explanation.variance?.squareRoot(), digits: 2)
            json.value("measured_power", Int(explanation.claimedPower))
            json.value("measured_power_corrected", explanation.measuredPower, digits: 1)
            json.value("distance_m", explanation.distance?.metres, digits: 2)
            json.value("distance_low_m", explanation.distance?.low, digits: 2)
            json.value("distance_high_m", explanation.distance?.high, digits: 2)
            json.value("proximity", explanation.proximity.rawValue)
            json.value("nearest", explanation.isNearest)
            json.value("allowance_db", explanation.allowance, digits: 1)
            json.value("probability_nearer", explanation.probabilityNearer, digits: 3)
            json.value("seconds_to_nearest", explanation.secondsToNearest, digits: 2)
            if let verdict = explanation.verdict {
                json.object("verdict") { write(verdict, &$0) }
            } else {
                json.value("verdict", String?.none)
            }
            json.array("regions") { json in
                for region in explanation.regions { json.value(nil, region) }
            }
            json.value("rotating", explanation.isRotating)
            json.array("decisions") { json in
                for decision in explanation.decisions { json.object { write(decision, &$0) } }
            }
            if let content {
                json.object("content") { json in
                    json.value("manifest", content.manifest)
                    json.value("reason", content.reason)
                }
            } else {
                json.value("content", String?.none)
            }
        }
        return json.text + "\n"
    }

    private func write(_ decision: NearestDecision, _ json: inout JSONText) {
        json.value("time", decision.time.rfc3339)
        for (key, id) in [("holder", decision.holder), ("challenger", decision.challenger)] {
            if let id {
                json.object(key) { $0.identity(id, name: names[id]) }
            } else {
                json.value(key, String?.none)
            }
        }
        json.value("reason", decision.reason.rawValue)
        json.value("lead_db", decision.lead, digits: 1)
        json.value("evidence_db_s", decision.evidence, digits: 1)
        json.value("needed_db_s", decision.needed, digits: 1)
    }
}
