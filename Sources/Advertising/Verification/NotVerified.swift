package import Listening

/// A beacon was not received as it was sent. The description says what was received instead.
package struct NotVerified: Error, CustomStringConvertible {
    package var source: SourceSpec
    package var verdict: AirCheck.Verdict
    package var sent: [UInt8]
    /// How long it listened.
    package var seconds: Double

    package var description: String { "not verified by \(source): \(reason)" }

    private var reason: String {
        let seconds = seconds == seconds.rounded() ? "\(Int(min(seconds, 1e9)))" : "\(seconds)"
        switch verdict {
        case .blind:
            return
                "it heard nothing at all in \(seconds) s, from nobody; it may be blind: run beaconctl doctor, and see "
                + "whether beaconctl sightings --source \(source) hears any other beacon"
        case .notHeard(let others):
            return
                "it heard \(others) advertisements of others in \(seconds) s, but not this beacon: is it in reach, and "
                + "is the advertising adapter's antenna connected?"
        case .wrong(let difference, let heard):
            return "\(difference); another program may have changed the advertising data\n"
                + "  sent:  \(hexText(sent))\n  heard: \(hexText(heard))"
        case .wrongPower(let heard):
            return
                "the beacon is heard with the measured power \(heard) dBm, which is not what was sent: another beacon "
                + "has the same identity, or another program has changed the advertising data"
        case .heard:
            return "the verification was cut short"
        }
    }
}
