import Beacon

/// Which field of a row holds which value. Columns are found by name, in any order; unknown columns are ignored.
struct ObservationColumns: Sendable {
    /// The column of each known name, or nil.
    private(set) var known: [Column?] = []
    private(set) var hasTime = false

    enum Column: String, Sendable, CaseIterable {
        case time
        case scanner
        /// The source of `beaconctl sightings`. Used as the scanner if the row names none.
        case source
        case uuid
        case major
        case minor
        case measuredPower = "measured_power"
        case rssi
        case address
        case addressType = "address_type"
        case eventType = "event_type"

        /// A row without these is not a sighting.
        static let required: [Column] = [.uuid, .major, .minor, .measuredPower, .rssi]
    }

    /// Reads a header. Returns nil for a line that is not a header: one without a column `uuid`.
    init?(header: RawSpan) {
        var fields = ObservationFields(from: header.hasByteOrderMark ? 3 : 0)
        var seen: Set<Column> = []
        while let field = fields.next(in: header) {
            let name = header.extracting(field.range).string.lowercased()
            let column = Column(rawValue: name).flatMap { seen.insert($0).inserted ? $0 : nil }
            known.append(column)
        }
        guard !fields.isBroken, seen.contains(.uuid) else { return nil }
        hasTime = seen.contains(.time)
    }

    /// The separator of a table with a column `uuid` if it is not a comma; some spreadsheets write others.
    static func otherSeparator(header: RawSpan) -> String? {
        let text = header.extracting((header.hasByteOrderMark ? 3 : 0)..<header.byteCount).string.lowercased()
        for (separator, name) in [(Character(";"), ";"), ("\t", "tabs")] {
            let fields = text.split(separator: separator)
            if fields.count > 1, fields.contains(where: { $0 == "uuid" || $0 == "\"uuid\"" }) { return name }
        }
        return nil
    }

    /// Required columns that the header does not have.
    var missing: [Column] {
        Column.required.filter { !known.contains($0) }
    }
}

/// An iteration over the fields of a row (RFC 4180). It holds a position and never the bytes.
struct ObservationFields {
    private var position: Int
    private var isAtEnd = false
    /// A quoted field without a closing quote, or with text after that quote.
    private(set) var isBroken = false

    struct Field {
        /// Without blanks at both ends and without enclosing quotes.
        var range: Range<Int>
        /// Whether it contains doubled quotes.
        var hasDoubledQuotes = false
    }

    init(from start: Int = 0) {
        position = start
    }

    mutating func next(in row: RawSpan) -> Field? {
        guard !isAtEnd, !isBroken else { return nil }
        if position < row.byteCount, row.octet(at: position) == UInt8(ascii: "\"") {
            return quoted(row)
        }
        let start = position
        while position < row.byteCount, row.octet(at: position) != UInt8(ascii: ",") { position += 1 }
        let range = row.trimmed(start..<position)
        passComma(row)
        return Field(range: range)
    }

    private mutating func quoted(_ row: RawSpan) -> Field? {
        position += 1
        let start = position
        var hasDoubledQuotes = false
        while position < row.byteCount {
            if row.octet(at: position) == UInt8(ascii: "\"") {
                guard position + 1 < row.byteCount, row.octet(at: position + 1) == UInt8(ascii: "\"") else { break }
                hasDoubledQuotes = true
                position += 1
            }
            position += 1
        }
        let end = position
        position += 1
        guard end < row.byteCount, position == row.byteCount || row.octet(at: position) == UInt8(ascii: ",") else {
            isBroken = true
            return nil
        }
        passComma(row)
        return Field(range: row.trimmed(start..<end), hasDoubledQuotes: hasDoubledQuotes)
    }

    private mutating func passComma(_ row: RawSpan) {
        isAtEnd = position >= row.byteCount
        position += 1
    }
}

extension RawSpan {
    /// EF BB BF, which some programs write before UTF-8.
    var hasByteOrderMark: Bool {
        byteCount >= 3 && octet(at: 0) == 0xEF && octet(at: 1) == 0xBB && octet(at: 2) == 0xBF
    }
}
