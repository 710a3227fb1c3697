import Beacon
import HCI
import RadioEmulation

/// Octets from hexadecimal digits and spaces.
func hex(_ text: String) -> [UInt8] {
    let digits = text.utf8.compactMap(hexDigit)
    return stride(from: 0, to: digits.count - 1, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}

/// The answer in a Command Complete packet.
func answer(_ packet: [UInt8]) -> CommandAnswer? {
    guard packet.first == PacketType.event.rawValue else { return nil }
    return CommandAnswer(event: packet.span.bytes.extracting(1..<packet.count))
}

/// The reports of packets, with their data.
func reports(_ packets: [[UInt8]]) -> [(report: AdvertisingReport, data: [UInt8])] {
    var all: [(report: AdvertisingReport, data: [UInt8])] = []
    for packet in packets {
        let event = packet.span.bytes.extracting(1..<packet.count)
        guard var reports = AdvertisingReports(event: event) else { continue }
        while let report = reports.next(in: event) {
            all.append((report, report.data.map { event.octet(at: $0) }))
        }
    }
    return all
}

extension Emulation {
    /// Sends commands one after the other, and returns the statuses of the answers.
    @discardableResult
    mutating func run(_ commands: [Command], on id: ControllerID) -> [ErrorCode] {
        commands.flatMap { send($0.packet, to: id, at: now) }
            .filter { $0.controller == id }.compactMap { answer($0.packet)?.status }
    }

    /// What a controller tells its host from now to then.
    mutating func packets(of id: ControllerID, until instant: Duration) -> [[UInt8]] {
        advance(to: instant).filter { $0.controller == id }.map(\.packet)
    }
}

extension VirtualController {
    /// The status of the answer to a command.
    mutating func status(_ command: Command, at now: Duration = .zero) -> ErrorCode? {
        execute(command.packet, at: now).first.flatMap { answer($0)?.status }
    }
}

/// The beacon of the Raspberry Pi recipe.
enum Recipe {
    static let payload = hex("02011A 1AFF4C000215 636F3F8F64914BEE95F7D8CC64A863B5 0000 0000 C8")

    static let legacy: [Command] = [
        .leSetAdvertisingParameters(AdvertisingParameters()), .leSetAdvertisingData(payload),
        .leSetAdvertisingEnable(true),
    ]

    static let extended: [Command] = [
        .leSetExtendedAdvertisingParameters(.first, AdvertisingParameters()),
        .leSetExtendedAdvertisingData(.first, payload), .leSetExtendedAdvertisingEnable(true, .first),
    ]
}

/// What a host sends to hear everything.
enum Listen {
    static let legacy: [Command] = [
        .reset, .setEventMask(), .leSetEventMask(), .leSetScanParameters(ScanParameters()), .leSetScanEnable(true),
    ]

    static let extended: [Command] = [
        .reset, .setEventMask(), .leSetEventMask(), .leSetExtendedScanParameters(ScanParameters()),
        .leSetExtendedScanEnable(true),
    ]
}

extension Scenario {
    /// No beacons, no noise.
    static let silence = Scenario(propagation: Propagation().withoutNoise)

    /// One beacon at a distance from a visitor who stands at the origin.
    static func oneBeacon(
        at distance: Double, propagation: Propagation = Propagation().withoutNoise, seed: UInt64 = 1,
        interval: Duration = .milliseconds(100)
    ) -> Scenario {
        Scenario(
            seed: seed, propagation: propagation,
            beacons: [ScenarioBeacon(.number(1), interval: interval, position: Position(distance, 0))])
    }
}

extension IBeacon {
    /// A beacon of the tests' own UUID with measured power -59.
    static func number(_ minor: Int) -> IBeacon {
        IBeacon(
            id: BeaconID(
                uuid: ProximityUUID(0x1111_2222_3333_4444_5555_6666_7777_8888), major: 1, minor: UInt16(minor)),
            measuredPower: -59)
    }
}
