import Ranging
package import Text

extension CalibrationResult {
    // MARK: - Text

    /// For people: the readings at each distance, the combined result, and what to do.
    package func text(_ terminal: Terminal) -> String {
        let pm = terminal.hasBlocks ? "±" : "+-"
        let title = (name.map { $0 + "  " } ?? "") + identity + ", heard by \(printable(scanner))"
        var text = lines(title, terminal).map { terminal.styled($0, .bold) + "\n" }.joined() + "\n"
        var table = TextTable([
            .init("DISTANCE", isNumber: true), .init("READINGS", isNumber: true, rank: 2), .init("LEVEL dBm"),
            .init("SCATTER", isNumber: true, rank: 3), .init("10 50 90 %", rank: 1),
        ])
        for point in estimate.points {
            table.add([
                .init(fixed(point.metres, digits: 1) + " m"), .init("\(point.count)"),
                .init("\(fixed(point.level, digits: 1)) \(pm) \(fixed(point.deviation, digits: 1))"),
                .init(fixed(point.scatter, digits: 1)), .init(point.quantiles.map { "\($0)" }.joined(separator: " ")),
            ])
        }
        text += table.lines(terminal).joined(separator: "\n") + "\n"
        text += "\n" + plot(terminal) + "\n"
        var rows = TextRows(width: 16)
        rows.add(
            "measured power", "\(fixed(estimate.measuredPower, digits: 1)) dBm at 1 m (in 8 of 10 cases "
                + "\(fixed(estimate.interval.lowerBound, digits: 1)) to "
                + "\(fixed(estimate.interval.upperBound, digits: 1)))"
        )
        if let claimed = estimate.claimed { rows.add("claimed", "\(claimed) dBm\(difference)") }
        if let exponent = estimate.exponent, let deviation = estimate.exponentDeviation {
            let isUsed = CalibrationEstimate.exponents.contains(exponent)
            rows.add(
                "exponent", "\(fixed(exponent, digits: 2)) \(pm) \(fixed(deviation, digits: 2)) "
                    + "(\(isUsed ? "" : "not used: it is not plausible; ")in force: "
                    + "\(fixed(siteExponent, digits: 2)))"
            )
        }
        text += rows.lines(terminal).joined(separator: "\n") + "\n\n"
        text += advice.flatMap { lines($0, terminal) }.joined(separator: "\n") + "\n"
        return text
    }

    private func lines(_ text: String, _ terminal: Terminal) -> [String] { wrapped(text, terminal.limit ?? 79) }

    private var difference: String {
        guard let difference = estimate.difference, difference.magnitude >= 0.05 else { return "" }
        return ", which is \(fixed(difference.magnitude, digits: 1)) dB \(difference < 0 ? "too much" : "too little")"
    }

    /// dB. The power that beacons state is often 8 to 14 dB wrong, and hardly ever more.
    private static let unlikelyDifference = 18.0

    /// What to do, one paragraph each.
    package var advice: [String] {
        var lines: [String] = []
        switch estimate.recommendation {
        case .keep:
            lines.append(
                "The beacon's claim is as good as this measurement: keep it. With --write, its distances get the "
                    + "narrower interval of a beacon that was measured.")
        case .correct:
            let power = fixed(estimate.measuredPower, digits: 0)
            lines.append(
                "Correct it: set the beacon's own measured power to \(power) dBm, or its correction in the "
                    + "configuration (--write).")
        case .measureAgain:
            lines.append(
                "The level wandered too much to be used: measure again, with a clear view of the beacon, turning "
                    + "slowly."
            )
        }
        if let difference = estimate.difference, difference.magnitude > Self.unlikelyDifference {
            lines.append("Such a large difference is rare: was the distance right, and is it this beacon?")
        }
        if estimate.recommendation != .measureAgain, estimate.isExponentUsable, let exponent = estimate.exponent,
            let deviation = estimate.exponentDeviation, (exponent - siteExponent).magnitude > deviation {
            lines.append(
                "If other beacons of the room say the same: ranging.path_loss_exponent: \(fixed(exponent, digits: 1)).")
        }
        return lines
    }

    /// How often each level was received, one row per distance.
    func plot(_ terminal: Terminal) -> String {
        let steps = Array(terminal.hasBlocks ? " ▁▂▃▄▅▆▇█" : " .:-=+*#@")
        guard let weakest = estimate.points.flatMap({ $0.readings.prefix(1) }).min(),
            let strongest = estimate.points.flatMap({ $0.readings.suffix(1) }).max()
        else { return "" }
        // From one multiple of ten to another. A column is one decibel, or more where that would not fit.
        let low = (Double(weakest) / 10).rounded(.down) * 10
        let high = max(low + 20, (Double(strongest) / 10).rounded(.up) * 10)
        let room = Double(max(10, min(60, (terminal.limit ?? 79) - 19)))
        let width = Int(((high - low) / room).rounded(.up))
        let columns = Int(high - low) / width + 1
        var text = ""
        for point in estimate.points {
            var counts = [Int](repeating: 0, count: columns)
            for rssi in point.readings { counts[min(columns - 1, Int(Double(rssi) - low) / width)] += 1 }
            let most = max(1, counts.max() ?? 1)
            let curve = String(counts.map { $0 == 0 ? steps[0] : steps[1 + $0 * (steps.count - 2) / most] })
            text += "\(pad(fixed(point.metres, digits: 1) + " m", 8))  \(terminal.styled(curve, .cyan))\n"
        }
        var axis = [Character](repeating: " ", count: columns + 4)
        for decade in stride(from: low, through: high, by: width > 1 ? 10 * Double(width) : 10) {
            for (offset, digit) in "\(Int(decade))".enumerated() { axis[Int(decade - low) / width + offset] = digit }
        }
        return text + String(repeating: " ", count: 10) + terminal.styled(String(axis) + " dBm", .dim) + "\n"
    }

    // MARK: - JSON

    /// One JSON object and a line break.
    package var json: String {
        var json = JSONText()
        json.object { json in
            json.identity(id, name: name)
            json.value("measured_power_advertised", estimate.claimed.map(Int.init))
            json.value("samples", samples)
            json.value("distance_m", estimate.points.first?.metres, digits: 2)
            json.value("measured_power", estimate.measuredPower, digits: 1)
            json.value("low", estimate.interval.lowerBound, digits: 1)
            json.value("high", estimate.interval.upperBound, digits: 1)
            json.value("scanner", scanner)
            json.value("deviation_db", estimate.deviation, digits: 2)
            json.value("difference_db", estimate.difference, digits: 1)
            json.value("path_loss_exponent", estimate.exponent, digits: 2)
            json.value("path_loss_exponent_deviation", estimate.exponentDeviation, digits: 2)
            json.value("path_loss_exponent_usable", estimate.isExponentUsable)
            json.array("points") { json in
                for point in estimate.points {
                    json.object { json in
                        json.value("distance_m", point.metres, digits: 2)
                        json.value("samples", point.count)
                        json.value("level_dbm", point.level, digits: 1)
                        json.value("deviation_db", point.deviation, digits: 2)
                        json.value("scatter_db", point.scatter, digits: 2)
                        for (key, value) in zip(["rssi_p10", "rssi_median", "rssi_p90"], point.quantiles) {
                            json.value(key, Int(value))
                        }
                    }
                }
            }
            json.value("recommendation", recommendation)
            json.value("written", written)
        }
        return json.text + "\n"
    }

    private var recommendation: String {
        switch estimate.recommendation {
        case .keep: "keep"
        case .correct: "correct"
        case .measureAgain: "measure-again"
        }
    }
}
