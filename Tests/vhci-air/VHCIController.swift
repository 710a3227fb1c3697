import Beacon
import HCI
import Radio
import RadioEmulation
import Synchronization

/// One of RadioEmulation's controllers, plugged into this kernel.
final class VHCIController: PacketReceiver {
    struct Counts: Sendable {
        var commands = 0
        /// Advertising reports that the kernel accepted.
        var reports = 0
        /// Packets that the kernel did not accept.
        var refused = 0
        /// Reports that nobody took in time.
        var late = 0
    }

    private struct State {
        var counts = Counts()
        var adapter: String?
        var isFrozen = false
        /// nil: without limit.
        var reportsLeft: Int?

        /// Whether a packet goes to the kernel. A report is taken off those that are left.
        mutating func lets(reportThrough isReport: Bool) -> Bool {
            guard !isFrozen else { return false }
            guard isReport, let left = reportsLeft else { return true }
            reportsLeft = max(left - 1, 0)
            return left > 0
        }
    }

    let number: Int
    let profile: ControllerProfile
    let address: DeviceAddress
    private let transport: EmulatedTransport
    private let device: VHCIDevice
    private let airTime: AirTime
    private let state = Mutex(State())

    init(
        _ number: Int, on air: EmulatedAir, _ time: AirTime, profile: ControllerProfile, address: DeviceAddress
    ) throws(RadioError) {
        self.airTime = time
        self.number = number
        self.profile = profile
        self.address = address
        transport = EmulatedTransport(air, profile: profile, address: address)
        device = try VHCIDevice()
    }

    var counts: Counts { state.withLock { $0.counts } }

    /// The kernel's name for it; nil until it is known.
    var adapter: String? { state.withLock { $0.adapter } }

    /// Runs the controller until it is unplugged.
    ///
    /// - Parameter attached: called when the kernel has reported its name.
    func run(attached: @Sendable () -> Void) async throws {
        try await transport.open(delivering: self)
        try device.plugIn()
        for await packet in device.packets() {
            if packet.first == VHCIDevice.vendorPacket, packet.count >= 4 {
                let index = UInt16(packet[2]) | UInt16(packet[3]) << 8
                state.withLock { $0.adapter = "hci\(index)" }
                attached()
            } else if count(command: packet) {
                try await transport.send(packet)
            }
        }
        await transport.close()
    }

    func unplug() {
        device.close()
    }

    /// A frozen controller is present, but neither answers nor reports anything, like some after a crash.
    func freeze(_ isFrozen: Bool) {
        state.withLock { $0.isFrozen = isFrozen }
    }

    /// A controller that may report nothing more carries out commands, as if without an antenna.
    ///
    /// - Parameter count: how many advertising reports it still makes; nil for no limit.
    func limitReports(to count: Int?) {
        state.withLock { $0.reportsLeft = count }
    }

    /// Returns whether the controller gets the packet.
    private func count(command packet: [UInt8]) -> Bool {
        state.withLock { state in
            if packet.first == PacketType.command.rawValue { state.counts.commands += 1 }
            return !state.isFrozen
        }
    }

    // MARK: - PacketReceiver

    /// After a pause of this process, the air makes up for all of it at once. A real controller has room for few
    /// reports and loses the rest by itself: a burst of thousands would be the kernel's and the programs' loss.
    private static let longestWait = Duration.milliseconds(200)

    func receive(_ packet: RawSpan, at time: Timestamp) {
        let isReport = Self.isReport(packet)
        guard !isReport || airTime.age(of: time) <= Self.longestWait else {
            state.withLock { $0.counts.late += 1 }
            return
        }
        guard state.withLock({ $0.lets(reportThrough: isReport) }) else { return }
        let isTaken = device.write(packet)
        state.withLock { state in
            if !isTaken { state.counts.refused += 1 }
            if isTaken, isReport { state.counts.reports += 1 }
        }
    }

    func transportDidClose(_ error: RadioError?) {}

    /// The emulation puts one report into each event.
    private static func isReport(_ packet: RawSpan) -> Bool {
        guard packet.byteCount > 3, packet.octet(at: 1) == EventCode.leMeta.rawValue else { return false }
        let subevent = LESubevent(rawValue: packet.octet(at: 3))
        return subevent == .advertisingReport || subevent == .extendedAdvertisingReport
    }
}
