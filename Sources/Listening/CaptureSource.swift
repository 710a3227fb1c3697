public import Beacon
public import Captures
public import HCI
public import Radio

/// A capture read from beginning to end: packets, link-layer frames or rows become sightings.
///
/// Everything here runs on the caller's thread, which it may block (a pipe).
public struct CaptureSource: ~Copyable {
    public let spec: SourceSpec
    private var reader: CaptureReader
    private var decoder = SightingDecoder()
    private let index: UInt16
    private let recorder: PacketRecorder?

    /// Records that could not be read, and the first of them with their places.
    public private(set) var damaged = 0
    public private(set) var damage: [String] = []
    private static let damageTold = 5

    /// - Parameters:
    ///   - index: goes into every sighting as its scanner.
    ///   - recorder: where HCI packets are recorded as well.
    /// Throws when the file cannot be read or is none of the known formats.
    public init(
        _ spec: SourceSpec, path: String, index: UInt16, recorder: PacketRecorder? = nil
    ) throws(CaptureError) {
        self.spec = spec
        self.index = index
        self.recorder = recorder
        reader = try CaptureReader(path: path)
    }

    public var counts: DecodingCounts { decoder.counts }
    public var format: CaptureFormat { reader.format }
    /// Whether the next record may be long in coming (a pipe).
    public var isRunningDry: Bool { reader.isRunningDry }
    /// False for hcidump text, which has no times.
    public var hasTimes: Bool { reader.hasTimes }

    /// Reads one record and hands on the sightings in it. Returns false at the end.
    ///
    /// Throws where the capture is damaged or cut; what came before has been handed on.
    public mutating func next(_ body: (borrowing Sighting) -> Void) throws(CaptureError) -> Bool {
        try reader.next { record, bytes in
            switch record.content {
            case .hci(let type, let fromController):
                recorder?.record(type, bytes, fromController: fromController, at: record.time)
                if type == .event {
                    decoder.decode(event: bytes, at: record.time, scanner: index, body)
                } else {
                    decoder.countPacket()
                }
            case .advertisement(let advertisement):
                decoder.countPacket(hasReport: true)
                guard let beacon = decoder.decode(payload: bytes.extracting(advertisement.data)) else { return }
                body(
                    Sighting(
                        time: record.time, scanner: index, address: advertisement.address,
                        addressType: advertisement.addressType, eventType: advertisement.eventType,
                        rssi: advertisement.rssi, beacon: beacon))
            case .sighting(let sighting, _):
                decoder.countDecodedSighting()
                var sighting = sighting
                sighting.scanner = index
                body(sighting)
            case .skipped(let reason):
                decoder.countPacket(isMalformed: reason.isDamage)
                guard reason.isDamage else { return }
                damaged += 1
                if damage.count < Self.damageTold {
                    let place = record.line > 0 ? "line \(record.line)" : "offset \(record.offset)"
                    damage.append("\(spec): \(place): \(reason)")
                }
            }
        }
    }
}
