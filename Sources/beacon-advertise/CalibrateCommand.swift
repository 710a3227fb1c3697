import Advertising
import ArgumentParser
import Beacon
import Console
import Glibc
import Platform
import Radio
import Text
import YAMLText

struct CalibrateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "beacon-advertise calibrate",
        abstract: "Finds the measured power that this beacon should announce.",
        discussion: """
            Measured power is the level at 1 m, which another device must hear. Without a result this advertises, says \
            what to do at the other device, and reads its result from standard input; with one it computes from that.
            """,
        version: "beacon-advertise \(Program.version)")

    @Argument(
        help: ArgumentHelp(
            "The output of beaconctl calibrate --format json; - is standard input.", valueName: "result.json"))
    var result: String?

    @OptionGroup var beacon: BeaconOptions

    func run() async throws {
        if result == "-" {
            tell(try CalibrationReading(json: Self.standardInput(), file: "standard input"))
        } else if let result {
            tell(
                try FileMistakes.asUsage {
                    let text = try DocumentFile.text(of: result, limit: 1 << 20) ?? ""
                    return try CalibrationReading(json: text, file: result)
                })
        } else {
            try await guide()
        }
    }

    // MARK: - With a person

    private func guide() async throws {
        let settings = try beacon.settings(over: AdvertiseFile.Values())
        let id = settings.beacon.id
        let run = try BeaconRun(settings, verifyWith: nil, recorder: nil)
        let advertising = Task {
            try await run.run { event in
                BeaconRunText.tell(event, settings)
                guard case .started = event else { return }
                Program.write(
                    """

                    1. Put another device with Bluetooth 1 m from this one's antenna, at the same height, with nothing \
                    and nobody in between.
                    2. On it, listen for 30 s:
                         beaconctl calibrate --source hci0 --beacon \(id.uuid.uppercased)/\(id.major)/\(id.minor) \
                    --distance 1 --duration 30 --format json
                    3. Paste here the line that it prints, and press Enter.

                    """)
            }
        }
        let reading = Task {
            for await line in Self.lines() where !line.isEmpty {
                do {
                    let result = try CalibrationReading(json: line, file: "the line")
                    guard result.id == id else {
                        Program.write("this is the result of another beacon; its numbers are \(result.id)\n")
                        continue
                    }
                    tell(result)
                    advertising.cancel()
                } catch {
                    Program.write("\(error)\n")
                }
            }
        }
        defer { reading.cancel() }
        try await Interruption().watch(onSignal: { advertising.cancel() }, { try await advertising.value })
    }

    /// The lines of standard input, read on a thread of their own because reading blocks.
    private static func lines() -> AsyncStream<String> {
        OwnThread.stream(of: String.self) { lines in
            while let line = StandardInput.line() { lines.yield(line) }
        }
    }

    private static func standardInput() -> String {
        var text = ""
        while text.utf8.count < 1 << 20, let line = readLine(strippingNewline: false) { text += line }
        return text
    }

    // MARK: - The result

    private func tell(_ result: CalibrationReading) {
        let scanner = result.scanner.isEmpty ? "" : " by \(printable(result.scanner))"
        Program.writeResult(
            "measured power \(result.measuredPower) dBm (probably between \(result.low) and \(result.high)), from "
                + "\(result.samples) readings\(scanner)")
        if let advertised = result.advertised {
            let difference = Int(advertised) - Int(result.measuredPower)
            Program.writeResult(
                difference == 0
                    ? "announced: \(advertised) dBm, which is right"
                    : "announced: \(advertised) dBm, \(abs(difference)) dB too \(difference > 0 ? "much" : "little")")
        }
        Program.writeResult(
            "use: beacon-advertise --uuid \(result.id.uuid.uppercased) --major \(result.id.major) "
                + "--minor \(result.id.minor) --measured-power \(result.measuredPower)")
        if let doubt = result.doubt { Program.write("note: \(doubt)\n") }
    }
}
