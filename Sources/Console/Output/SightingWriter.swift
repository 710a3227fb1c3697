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
    /// The texts of the receivers met so far.
    private var texts: [ReceiverText] = []
    private var hour = HourText()
    private let table: SightingTable
    /// The most bytes that one line takes.
    private var room = 512

    private struct ReceiverText {
        var source: [UInt8]
        /// Empty, or null in JSON, where the source has only one receiver.
        var scanner: [UInt8]
        /// The name in tables.
        var name: String
    }

    /// - Parameters:
    ///   - receivers: the list that `Sighting.scanner` is an index into.
    ///   - hasScanners: a source may name its scanners; CSV and JSON then have a field for that.
    ///   - limit: the greatest width of a table's lines in columns; nil for no limit.
    package init(
        _ format: OutputFormat, receivers: Receivers, hasScanners: Bool, limit: Int? = Terminal.current.limit
    ) {
        self.init(format, receivers: receivers, hasScanners: hasScanners, limit: limit, to: OutputBuffer())
    }

    /// The same, collected for `taken()` instead of written to standard output.
    package init(collecting format: OutputFormat, receivers: Receivers, limit: Int? = nil) {
        self.init(
            format, receivers: receivers, hasScanners: false, limit: limit, to: OutputBuffer(descriptor: nil))
    }

    private init(
        _ format: OutputFormat, receivers: Receivers, hasScanners: Bool, limit: Int?,
        to destination: consuming OutputBuffer
    ) {
        self.hasScanners = hasScanners
        output = destination
        self.format = format
        self.receivers = receivers
        table = SightingTable(sources: receivers.all.map(\.name), limit: limit)
        learnReceivers()
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

    /// A capture may name a new receiver in any row.
    private mutating func learnReceivers() {
        for receiver in receivers.listed(from: texts.count) {
            var scanner = format == .json ? Array("null".utf8) : []
            if let name = receiver.scanner { scanner = Self.written(name, format) }
            let text = ReceiverText(
                source: Self.written(receiver.source, format), scanner: scanner, name: receiver.name)
            texts.append(text)
            room = max(room, 512 + text.source.count + text.scanner.count)
        }
    }

    /// With quotes where CSV or JSON needs them.
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

    /// The output since the last call, where it is collected.
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
        hour.update(for: time)
        hour.text.withUnsafeBufferPointer { output.put($0) }
        var rest = UInt64(bitPattern: time.microseconds &- hour.start)
        output.putDigits(&rest, divisor: 60_000_000)
        output.put(UInt8(ascii: ":"))
        output.putDigits(&rest, divisor: 1_000_000)
        output.put(UInt8(ascii: "."))
        output.putDigits(&rest, divisor: 10_000)
        output.putDigits(&rest, divisor: 100)
        output.putDigits(&rest, divisor: 1)
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
            texts[source.place].scanner.withUnsafeBufferPointer { output.put($0) }
        } else {
            texts[source.place].source.withUnsafeBufferPointer { output.put($0) }
        }
    }

    @inline(__always)
    private mutating func putAddress(_ address: DeviceAddress) {
        var shift: UInt64 = 40
        while true {
            output.put(hex: UInt8(truncatingIfNeeded: address.value >> shift))
            guard shift > 0 else { return }
            output.put(UInt8(ascii: ":"))
            shift &-= 8
        }
    }

    @inline(__always)
    private mutating func putAddressType(_ type: AddressType) {
        if type.isRandom { output.put("random") } else { output.put("public") }
    }

    @inline(__always)
    private mutating func putUUID(_ uuid: ProximityUUID) {
        let high = UInt64(truncatingIfNeeded: uuid.value >> 64)
        let low = UInt64(truncatingIfNeeded: uuid.value)
        putHex(high, from: 56, through: 32)
        output.put(UInt8(ascii: "-"))
        putHex(high, from: 24, through: 16)
        output.put(UInt8(ascii: "-"))
        putHex(high, from: 8, through: 0)
        output.put(UInt8(ascii: "-"))
        putHex(low, from: 56, through: 48)
        output.put(UInt8(ascii: "-"))
        putHex(low, from: 40, through: 0)
    }

    @inline(__always)
    private mutating func putHex(_ value: UInt64, from first: UInt64, through last: UInt64) {
        var shift = first
        while true {
            output.put(hex: UInt8(truncatingIfNeeded: value >> shift))
            guard shift > last else { return }
            shift &-= 8
        }
    }
}

extension OutputBuffer {
    /// Writes the two-digit quotient of `rest` and `divisor`; `rest` keeps the remainder.
    @inline(__always)
    fileprivate mutating func putDigits(_ rest: inout UInt64, divisor: UInt64) {
        let value = UInt8(truncatingIfNeeded: rest / divisor)
        rest %= divisor
        put(UInt8(ascii: "0") &+ value / 10)
        put(UInt8(ascii: "0") &+ value % 10)
    }
}

/// Date and hour as text. It is made again only when the hour changes: the calendar is slow, and times come in order.
private struct HourText {
    private(set) var start: Int64 = .min
    /// `2026-01-01T00:`
    private(set) var text: [UInt8] = []

    @inline(__always)
    mutating func update(for time: Timestamp) {
        let offset = time.microseconds &- start
        guard start == .min || offset < 0 || offset >= 3_600_000_000 else { return }
        renew(for: time)
    }

    private mutating func renew(for time: Timestamp) {
        let remainder = time.microseconds % 3_600_000_000
        start = time.microseconds - (remainder < 0 ? remainder + 3_600_000_000 : remainder)
        text.removeAll(keepingCapacity: true)
        time.appendRFC3339(to: &text)
        text.removeLast(text.count - 14)
    }
}
