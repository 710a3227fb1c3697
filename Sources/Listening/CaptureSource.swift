package import Beacon
package import Captures
package import HCI
package import Radio

/// A capture read from beginning to end: packets, link-layer frames or rows become sightings.
///
/// Everything runs on the caller's thread, and may block it (a pipe).
package struct CaptureSource: ~Copyable {
    package let spec: SourceSpec
    private var reader: CaptureReader
    private var decoder = SightingDecoder()
    private let source: SourceID
    private let receivers: Receivers?
    /// The IDs of the scanners that the capture names, by the capture's own index.
    private var scanners: [SourceID] = []
    private var recording: CaptureRecording?
    private var packetReceivers: PacketReceivers

    /// The number of records that could not be read.
    package private(set) var damaged = 0
    /// The first of them, each with its place in the file.
    package private(set) var damage: [String] = []
    private static let damageTold = 5

    /// - Parameters:
    ///   - source: the source of every sighting, except those whose scanner the capture names.
    ///   - receivers: where named scanners get IDs of their own; nil to treat all of them as one.
    ///   - recorder: also records the HCI packets.
    /// - Throws: if the file cannot be read or has none of the known formats.
    package init(
        _ spec: SourceSpec, path: String, source: SourceID, receivers: Receivers? = nil, recorder: PacketRecorder? = nil
    ) throws(CaptureError) {
        self.init(
            spec, reader: try CaptureReader(path: path), source: source, receivers: receivers, recorder: recorder)
    }

    // It does not throw: Swift 6.2 destroys fields that have no value yet.
    private init(
        _ spec: SourceSpec, reader: consuming CaptureReader, source: SourceID, receivers: Receivers?,
        recorder: PacketRecorder?
    ) {
        self.spec = spec
        self.source = source
        self.receivers = receivers
        let format = reader.format
        recording = recorder.map { CaptureRecording(of: source, format, in: $0) }
        packetReceivers = PacketReceivers(
            source: source, receivers: receivers, interfaceNames: reader.interfaceNames, format: format)
        self.reader = reader
    }

    package var counts: DecodingCounts { decoder.counts }
    package var format: CaptureFormat { reader.format }
    /// Whether the next record may be long in coming (a pipe).
    package var isRunningDry: Bool { mutating get { reader.isRunningDry } }
    /// False for hcidump text, which has no times.
    package var hasTimes: Bool { reader.hasTimes }

    /// Reads one record and passes on its sightings. Returns false at the end.
    ///
    /// - Throws: if the capture is damaged or truncated. Everything before that has been passed on.
    package mutating func next(_ body: (borrowing Sighting) -> Void) throws(CaptureError) -> Bool {
        var observed: (sighting: Sighting, scanner: UInt16?)?
        let hasMore = try reader.next { record, bytes in
            switch record.content {
            case .hci(let type, let fromController):
                recording?.add(type, bytes, fromController: fromController, of: record)
                if type == .event {
                    let receiver = CapturedReceiver(of: record)
                    let source = packetReceivers.id(of: receiver, hasReports: AdvertisingReports(event: bytes) != nil)
                    decoder.receiver = receiver.number
                    decoder.decode(event: bytes, at: record.time, source: source, body)
                } else {
                    decoder.countPacket()
                }
            case .advertisement(let advertisement):
                decoder.countPacket(hasReport: true)
                let source = packetReceivers.id(of: CapturedReceiver(of: record), hasReports: true)
                guard let beacon = decoder.decode(payload: bytes.extracting(advertisement.data)) else { return }
                body(
                    Sighting(
                        time: record.time, source: source, address: advertisement.address,
                        addressType: advertisement.addressType, eventType: advertisement.eventType,
                        rssi: advertisement.rssi, beacon: beacon))
            case .sighting(let sighting, let scanner):
                decoder.countDecodedSighting()
                observed = (sighting, scanner)
            case .skipped(.strayLine):
                // A heading or a note is not a packet.
                break
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
        if var observed {
            observed.sighting.source = observed.scanner.map { id(ofScanner: Int($0)) } ?? source
            body(observed.sighting)
        }
        return hasMore
    }

    /// - Parameter scanner: the capture's own index.
    private mutating func id(ofScanner scanner: Int) -> SourceID {
        guard let receivers else { return source }
        if scanner >= scanners.count {
            scanners += reader.scannerNames[scanners.count...].map { receivers.id(ofScanner: $0, from: source) }
        }
        return scanners[scanner]
    }
}
