import ArgumentParser
package import Beacon
package import Listening
import Text

/// The formats of results.
package enum OutputFormat: String, ExpressibleByArgument, CaseIterable, Sendable {
    case table
    case json
    case csv
}

/// Writes sightings to standard output: as CSV, JSON, or aligned columns for people.
package struct SightingWriter: ~Copyable {
    private var output: OutputBuffer
    private let format: OutputFormat
    private let receivers: Receivers
    private let hasScanners: Bool
    /// Whether the source field names the adapters of a capture, because there is no field for scanners.
    private let tellsScannerAsSource: Bool
    /// The texts of the receivers met so far.
    private var texts: [ReceiverText] = []
    /// How many of them have got the name of a scanner since.
    private var named = 0
    private var second = SecondText()
    private let table: SightingTable
    /// The maximum number of bytes of one line.
    private var room = 512

    /// The bytes of `texts`, in one array, so that writing a line needs no reference counting.
    private var textBytes: [UInt8] = []

    private struct ReceiverText {
        /// The position in `textBytes`.
        var source: Range<Int>
        /// Empty, or null in JSON, if the source has only one receiver.
        var scanner: Range<Int>
        /// The name in tables.
        var name: String
    }

    /// - Parameters:
    ///   - receivers: the list that `Sighting.scanner` is an index into.
    ///   - hasScanners: whether a source may name its scanners. Then CSV and JSON have a field for that.
    ///   - limit: the greatest width of a table's lines in columns; nil for no limit.
    package init(
        _ format: OutputFormat, receivers: Receivers, hasScanners: Bool, limit: Int? = Terminal.current.limit
    ) {
        self.init(
            format, receivers: receivers, hasScanners: hasScanners, isCollected: false, limit: limit,
            to: OutputBuffer())
    }

    /// The same, collected for `taken()` instead of written to standard output.
    package init(collecting format: OutputFormat, receivers: Receivers, limit: Int? = nil) {
        self.init(
            format, receivers: receivers, hasScanners: false, isCollected: true, limit: limit,
            to: OutputBuffer(isCollected: true))
    }

    private init(
        _ format: OutputFormat, receivers: Receivers, hasScanners: Bool, isCollected: Bool, limit: Int?,
        to destination: consuming OutputBuffer
    ) {
        self.hasScanners = hasScanners
        tellsScannerAsSource = !hasScanners && !isCollected
        output = destination
        self.format = format
        self.receivers = receivers
        table = SightingTable(sources: receivers.all.map(\.name), limit: limit)
        switch format {
        case .csv:
            output.write(
                "time,source,address,address_type,event_type,rssi,uuid,major,minor,measured_power"
                    + (hasScanners ? ",scanner\n" : "\n"))
        case .table:
            output.write(table.heading + "\n")
        case .json:
            break
        }
    }

    package mutating func write(_ sighting: borrowing Sighting) {
        if sighting.source.place >= texts.count { learnReceivers() }
        output.reserve(room)
        switch format {
        case .csv: writeCSV(sighting)
        case .json: writeJSON(sighting)
        case .table: writeRow(sighting)
        }
        output.put(UInt8(ascii: "\n"))
    }

    /// Called for the first sighting and later, because a capture may name a new receiver in any row.
    private mutating func learnReceivers() {
        for receiver in receivers.listed(from: texts.count) { texts.append(text(of: receiver)) }
        for (source, receiver) in receivers.named(from: named) {
            named += 1
            if source.place < texts.count { texts[source.place] = text(of: receiver) }
        }
    }

    private mutating func text(of receiver: Receivers.Receiver) -> ReceiverText {
        var scanner = format == .json ? Array("null".utf8) : []
        if let name = receiver.scanner { scanner = Self.written(name, format) }
        let source = tellsScannerAsSource ? receiver.name : receiver.source
        let text = ReceiverText(
            source: keep(Self.written(source, format)), scanner: keep(scanner), name: receiver.name)
        room = max(room, 512 + text.source.count + text.scanner.count)
        return text
    }

    private mutating func keep(_ text: [UInt8]) -> Range<Int> {
        textBytes += text
        return textBytes.count - text.count..<textBytes.count
    }

    /// With quotes if CSV or JSON needs them.
    private static func written(_ name: String, _ format: OutputFormat) -> [UInt8] {
        // No path is longer (PATH_MAX). A longer name would not fit into the space reserved for a line.
        let name = String(decoding: name.utf8.prefix(4096), as: UTF8.self)
        return switch format {
        case .csv: Array(csvField(name).utf8)
        case .json: Array(JSONText.quoted(name).utf8)
        case .table: []
        }
    }

    package mutating func flush() {
        output.flush()
    }

    /// The output since the last call, if it is collected.
    package mutating func taken() -> [UInt8] {
        output.taken()
    }

    // MARK: - One line

    private mutating func writeCSV(_ sighting: borrowing Sighting) {
        if let time = sighting.time { putTime(time) }
        output.put(UInt8(ascii: ","))
        putReceiver(sighting.source, isScanner: false)
        output.put(UInt8(ascii: ","))
        if let address = sighting.address {
            putAddress(address)
            output.put(UInt8(ascii: ","))
            putAddressType(sighting.addressType)
        } else {
            output.put(UInt8(ascii: ","))
        }
        output.put(UInt8(ascii: ","))
        if let eventType = sighting.eventType { output.put(decimal: Int(eventType)) }
        output.put(UInt8(ascii: ","))
        if let rssi = sighting.rssi { output.put(decimal: Int(rssi)) }
        output.put(UInt8(ascii: ","))
        putUUID(sighting.beacon.id.uuid)
        output.put(UInt8(ascii: ","))
        output.put(decimal: Int(sighting.beacon.id.major))
        output.put(UInt8(ascii: ","))
        output.put(decimal: Int(sighting.beacon.id.minor))
        output.put(UInt8(ascii: ","))
        output.put(decimal: Int(sighting.beacon.measuredPower))
        guard hasScanners else { return }
        output.put(UInt8(ascii: ","))
        putReceiver(sighting.source, isScanner: true)
    }

    private mutating func writeJSON(_ sighting: borrowing Sighting) {
        output.put("{\"time\":")
        if let time = sighting.time {
            output.put(UInt8(ascii: "\""))
            putTime(time)
            output.put(UInt8(ascii: "\""))
        } else {
            output.put("null")
        }
        output.put(",\"source\":")
        putReceiver(sighting.source, isScanner: false)
        output.put(",\"address\":")
        if let address = sighting.address {
            output.put(UInt8(ascii: "\""))
            putAddress(address)
            output.put("\",\"address_type\":\"")
            putAddressType(sighting.addressType)
            output.put(UInt8(ascii: "\""))
        } else {
            output.put("null,\"address_type\":null")
        }
        output.put(",\"event_type\":")
        if let eventType = sighting.eventType { output.put(decimal: Int(eventType)) } else { output.put("null") }
        output.put(",\"rssi\":")
        if let rssi = sighting.rssi { output.put(decimal: Int(rssi)) } else { output.put("null") }
        output.put(",\"uuid\":\"")
        putUUID(sighting.beacon.id.uuid)
        output.put("\",\"major\":")
        output.put(decimal: Int(sighting.beacon.id.major))
        output.put(",\"minor\":")
        output.put(decimal: Int(sighting.beacon.id.minor))
        output.put(",\"measured_power\":")
        output.put(decimal: Int(sighting.beacon.measuredPower))
        if hasScanners {
            output.put(",\"scanner\":")
            putReceiver(sighting.source, isScanner: true)
        }
        output.put(UInt8(ascii: "}"))
    }

    private mutating func writeRow(_ sighting: borrowing Sighting) {
        output.write(table.line(sighting, sighting.source.place < texts.count ? texts[sighting.source.place].name : ""))
    }

    // MARK: - Fields

    @inline(__always)
    private mutating func putTime(_ time: Timestamp) {
        let microseconds = second.update(for: time)
        output.put(second.words.0, length: 8)
        output.put(second.words.1, length: 8)
        output.put(second.words.2, length: SecondText.length - 16)
        output.put(twoDigits: microseconds / 10_000)
        output.put(twoDigits: microseconds / 100 % 100)
        output.put(twoDigits: microseconds % 100)
        output.put(UInt8(ascii: "Z"))
    }

    /// The source, or the scanner that the source names.
    @inline(__always)
    private mutating func putReceiver(_ source: SourceID, isScanner: Bool) {
        // The source became known after this list was made.
        guard source.place < texts.count else {
            if format == .json { output.put("null") }
            return
        }
        if isScanner {
            output.put(textBytes, texts[source.place].scanner)
        } else {
            output.put(textBytes, texts[source.place].source)
        }
    }

    @inline(__always)
    private mutating func putAddress(_ address: DeviceAddress) {
        let high = hexDigits(UInt32(truncatingIfNeeded: address.value >> 16))
        let low = hexDigits(UInt32(truncatingIfNeeded: address.value << 16))
        putOctetAndColon(high)
        putOctetAndColon(high >> 16)
        putOctetAndColon(high >> 32)
        putOctetAndColon(high >> 48)
        putOctetAndColon(low)
        output.put(low >> 16, length: 2)
    }

    /// - Parameter digits: two, in the lowest bytes.
    @inline(__always)
    private mutating func putOctetAndColon(_ digits: UInt64) {
        output.put(digits & 0xFFFF | UInt64(UInt8(ascii: ":")) << 16, length: 3)
    }

    @inline(__always)
    private mutating func putAddressType(_ type: AddressType) {
        if type.isRandom { output.put("random") } else { output.put("public") }
    }

    @inline(__always)
    private mutating func putUUID(_ uuid: ProximityUUID) {
        output.put(hexDigits(uuid.word(0)), length: 8)
        output.put(UInt8(ascii: "-"))
        let second = hexDigits(uuid.word(1))
        output.put(second, length: 4)
        output.put(UInt8(ascii: "-"))
        output.put(second >> 32, length: 4)
        output.put(UInt8(ascii: "-"))
        let third = hexDigits(uuid.word(2))
        output.put(third, length: 4)
        output.put(UInt8(ascii: "-"))
        output.put(third >> 32, length: 4)
        output.put(hexDigits(uuid.word(3)), length: 8)
    }
}

extension OutputBuffer {
    /// Writes two decimal digits of a number below 100.
    @inline(__always)
    fileprivate mutating func put(twoDigits value: UInt32) {
        let tens = UInt64(value / 10)
        put(0x3030 &+ tens &+ (UInt64(value) &- 10 &* tens) << 8, length: 2)
    }
}
