import Beacon

/// Observation CSV: one row for each sighting, as written by `beaconctl sightings --format csv` or any program that
/// knows the header `time,scanner,uuid,major,minor,measured_power,rssi`.
///
/// A row that cannot be read is delivered as skipped, with its line, and reading continues.
struct ObservationRecords: Sendable {
    /// In bytes, including quoted line ends. Limits how much an opening quote without a closing one can swallow.
    static let longestRow = 16 * 1024
    private static let longestName = 255

    let columns: ObservationColumns
    private(set) var scannerNames: [String] = []

    private var lines = LineScanner()
    private var scannerIndices: [[UInt8]: UInt16] = [:]
    private var lastScanner: (name: [UInt8], index: UInt16)?

    /// - Parameter columns: from the header, which is still the next line of the buffer.
    init(columns: ObservationColumns, _ buffer: inout CaptureBuffer) throws(CaptureError) {
        self.columns = columns
        if let header = try lines.next(&buffer, limit: Self.longestRow) {
            buffer.consume(header.extent)
        }
        guard columns.missing.isEmpty else {
            let names = columns.missing.map(\.rawValue).joined(separator: ", ")
            throw buffer.error(.unsupported, "observation CSV without the column(s) \(names)", line: 1)
        }
    }

    mutating func next(
        _ buffer: inout CaptureBuffer, _ body: CaptureReader.RecordBody
    ) throws(CaptureError) -> Bool {
        while let line = try nextRow(&buffer) {
            let unread = buffer.unread
            let row = unread.bytes.extracting(0..<line.length)
            guard !row.trimmed(0..<row.byteCount).isEmpty else {
                buffer.consume(line.extent)
                continue
            }
            var record = CapturedRecord(
                time: nil, offset: buffer.offset, line: lines.line, content: .skipped(.malformedRow))
            switch read(row) {
            case .success(let observation):
                record.time = observation.sighting.time
                record.content = .sighting(observation.sighting, scannerName: observation.scannerName)
            case .failure where line.isLast:
                throw buffer.error(.truncated, "the file ends within a row", line: lines.line)
            case .failure(let problem):
                // Tables are joined with cat: a header that comes again is no damage.
                let isHeader = ObservationColumns(header: row)?.known == columns.known
                record.content = .skipped(isHeader ? .strayLine : problem.reason)
            }
            body(record, row)
            lines.advance(by: line.extraLines)
            buffer.consume(line.extent)
            return true
        }
        return false
    }
}

// MARK: - Rows

extension ObservationRecords {
    private struct Row {
        var length: Int
        var extent: Int
        var isLast: Bool
        var extraLines = 0
    }

    /// The next row: one line, or several if a quoted field contains line ends.
    private mutating func nextRow(_ buffer: inout CaptureBuffer) throws(CaptureError) -> Row? {
        guard let line = try lines.next(&buffer, limit: Self.longestRow) else { return nil }
        var row = Row(length: line.length, extent: line.extent, isLast: line.isLast)
        var isQuoted = Self.leavesQuoteOpen(buffer.unread.bytes, in: 0..<line.length, isOpen: false)
        guard isQuoted, !line.isLast else { return row }
        var position = line.extent
        var lineStart = line.extent
        while position < Self.longestRow, try buffer.has(position + 1) {
            let unread = buffer.unread
            if unread[position] == UInt8(ascii: "\n") {
                row.extraLines += 1
                isQuoted = Self.leavesQuoteOpen(unread.bytes, in: lineStart..<position, isOpen: isQuoted)
                lineStart = position + 1
                if !isQuoted {
                    let hasReturn = unread[position - 1] == UInt8(ascii: "\r")
                    row.length = hasReturn ? position - 1 : position
                    row.extent = position + 1
                    return row
                }
            }
            position += 1
        }
        // The last row of a file may have no line end.
        let isAtEnd = position < Self.longestRow
        if isAtEnd, !Self.leavesQuoteOpen(buffer.unread.bytes, in: lineStart..<position, isOpen: isQuoted) {
            return Row(length: position, extent: position, isLast: true, extraLines: row.extraLines)
        }
        // A quote that is never closed: the row is its first line, and the next line is read as a new row.
        row.extraLines = 0
        return row
    }

    /// Whether a quoted field is open at the end of a line. Doubled quotes cancel out.
    private static func leavesQuoteOpen(_ bytes: RawSpan, in range: Range<Int>, isOpen: Bool) -> Bool {
        var isOpen = isOpen
        var isFieldStart = true
        for offset in range {
            let octet = bytes.octet(at: offset)
            if octet == UInt8(ascii: "\""), isOpen || isFieldStart { isOpen.toggle() }
            // The second of two quotes re-opens the field that the first one closed.
            isFieldStart = octet == UInt8(ascii: ",") || octet == UInt8(ascii: "\"")
        }
        return isOpen
    }

    private struct Observation {
        var sighting: Sighting
        var scannerName: UInt16?
    }

    private struct Problem: Error {
        var reason: SkipReason
    }

    private mutating func read(_ row: RawSpan) -> Result<Observation, Problem> {
        var fields = ObservationFields(from: row.hasByteOrderMark ? 3 : 0)
        var values = ObservationValues()
        var names = InlineArray<2, ObservationFields.Field?>(repeating: nil)
        var count = 0
        while count < columns.known.count, let field = fields.next(in: row) {
            let column = columns.known[count]
            count += 1
            guard let column else { continue }
            switch column {
            case .scanner: names[0] = field
            case .source: names[1] = field
            default:
                if let reason = values.read(row.extracting(field.range), as: column) {
                    return .failure(Problem(reason: reason))
                }
            }
        }
        guard count == columns.known.count, let sighting = values.sighting else {
            return .failure(Problem(reason: .malformedRow))
        }
        var scannerName: UInt16?
        if let name = names[0].flatMap({ $0.range.isEmpty ? nil : $0 }) ?? names[1], !name.range.isEmpty {
            scannerName = scannerIndex(row.extracting(name.range), unquoting: name.hasDoubledQuotes)
            if scannerName == nil { return .failure(Problem(reason: .invalidScanner)) }
        }
        return .success(Observation(sighting: sighting, scannerName: scannerName))
    }

    /// The index of a scanner's name; a new name gets a new index. Nil when there is no room for the name.
    private mutating func scannerIndex(_ text: RawSpan, unquoting: Bool) -> UInt16? {
        guard text.byteCount <= Self.longestName else { return nil }
        if let lastScanner, !unquoting, text.equals(lastScanner.name) { return lastScanner.index }
        var name: [UInt8] = []
        var offset = Self.hasGuard(text) ? 1 : 0
        while offset < text.byteCount {
            name.append(text.octet(at: offset))
            offset += unquoting && text.octet(at: offset) == UInt8(ascii: "\"") ? 2 : 1
        }
        if let index = scannerIndices[name] {
            lastScanner = (name, index)
            return index
        }
        guard scannerNames.count < Int(UInt16.max) else { return nil }
        let index = UInt16(scannerNames.count)
        scannerNames.append(String(decoding: name, as: UTF8.self))
        scannerIndices[name] = index
        lastScanner = (name, index)
        return index
    }
}

extension ObservationRecords {
    /// Whether the first of the apostrophes before a text is there only so that spreadsheets do not read a formula.
    private static func hasGuard(_ text: RawSpan) -> Bool {
        var offset = 0
        while offset < text.byteCount, text.octet(at: offset) == UInt8(ascii: "'") { offset += 1 }
        guard offset > 0, offset < text.byteCount else { return false }
        let rest = text.extracting(offset..<text.byteCount)
        // The last four are the full-width forms.
        return ["=", "+", "-", "@", "\u{FF1D}", "\u{FF0B}", "\u{FF0D}", "\u{FF20}"].contains { sign in
            sign.utf8.count <= rest.byteCount && sign.utf8.enumerated().allSatisfy { rest.octet(at: $0) == $1 }
        }
    }
}

extension RawSpan {
    fileprivate func equals(_ other: [UInt8]) -> Bool {
        guard byteCount == other.count else { return false }
        for offset in 0..<byteCount where octet(at: offset) != other[offset] { return false }
        return true
    }
}
