import Beacon
import HCI
import RadioEmulation
import TestSupport

extension FuzzTarget {
    /// What a host sends to emulated controllers of every kind: packets, each with its length before it.
    static let controllerCommand = FuzzTarget("controller-command") {
        let advertising = AdvertisingParameters()
        let scan = ScanParameters()
        let commands: [Command] = [
            .reset, .setEventMask(), .leSetEventMask(), .readBDADDR, .leReadLocalSupportedFeatures,
            .leSetAdvertisingParameters(advertising), .leSetAdvertisingData([2, 1, 6]), .leSetAdvertisingEnable(true),
            .leSetScanParameters(scan), .leSetScanEnable(true), .reset,
            .leSetExtendedAdvertisingParameters(.first, advertising), .leSetExtendedAdvertisingData(.first, [2, 1, 6]),
            .leSetExtendedAdvertisingEnable(true, .first), .leSetExtendedScanParameters(scan),
            .leSetExtendedScanEnable(true), .leRemoveAdvertisingSet(.first),
        ]
        let packets = commands.map { [UInt8($0.packet.count)] + $0.packet }
        return packets + [packets.flatMap(\.self), bytes("01 00 02 01 03 03 01 03 0C")]
    } check: { input in
        for profile in [ControllerProfile.raspberryPi3, .bluetooth5, .extendedOnly] {
            var controller = VirtualController(profile: profile, address: DeviceAddress(0x02BE_AC00_0001))
            var rest = input[...]
            var now = Duration.zero
            while let length = rest.popFirst() {
                let packet = Array(rest.prefix(Int(length)))
                rest = rest.dropFirst(Int(length))
                now += .milliseconds(100)
                try checkEvents(controller.execute(packet, at: now), upTo: 1)
                try checkEvents(controller.expire(at: now), upTo: 256)
                try checkAir(of: &controller, at: now)
            }
        }
    }
}

/// Events are whole, and not more than there can be.
private func checkEvents(_ events: [[UInt8]], upTo most: Int) throws(BrokenInvariant) {
    try require(events.count <= most, "more events than there can be")
    for event in events {
        try require(event.count >= 3 && event[0] == 0x04, "a packet that is no event")
        try require(event.count == 3 + Int(event[2]), "an event of a wrong length")
    }
}

/// What a controller sends can be sent, and what it receives gives whole events.
private func checkAir(of controller: inout VirtualController, at now: Duration) throws(BrokenInvariant) {
    for advertisement in controller.advertisements {
        let pdu = advertisement.pdu
        try require(advertisement.interval >= .milliseconds(20), "an interval that no controller has")
        try require(pdu.data.count <= (pdu.isLegacy ? 31 : 1650), "a payload that no controller sends")
        try checkEvents(controller.didTransmit(advertisement.id, at: now), upTo: 1)
    }
    let pdu = AdvertisingPDU(
        properties: .legacyScannable, address: DeviceAddress(1), data: [2, 1, 6], scanResponse: [2, 0x0A, 0])
    try checkEvents(controller.hear(pdu, rssi: -60, at: now), upTo: 2)
}
