import Text

/// A table of texts as CSV (RFC 4180), in the form that spreadsheets write and read.
package struct CSVTable: Hashable, Sendable {
    package var columns: [String]
    package var rows: [Row]

    package struct Row: Hashable, Sendable {
        /// The line of the file on which the row begins, counted from 1.
        package var line: Int
        package var fields: [String]

        package init(line: Int = 0, fields: [String]) {
            self.line = line
            self.fields = fields
        }
    }

    package static let bytesLimit = 16 << 20
    package static let rowsLimit = 100_000
    package static let columnsLimit = 100

    package init(columns: [String], rows: [Row] = []) {
        self.columns = columns
        self.rows = rows
    }

    /// The field of a row in a column; "" if the row is shorter.
    package func field(_ row: Row, _ column: String) -> String {
        guard let index = columns.firstIndex(of: column), index < row.fields.count else { return "" }
        return row.fields[index]
    }

    // MARK: - Writing

    /// The table in UTF-8 with a byte order mark. Without it, spreadsheets assume another encoding.
    package var csv: String {
        var text = "\u{FEFF}"
        for fields in [columns] + rows.map(\.fields) {
            text += fields.map(Self.quoted).joined(separator: ",") + "\r\n"
        }
        return text
    }

    /// Puts an apostrophe before a text that a spreadsheet would run as a formula. Reading removes it again.
    private static func quoted(_ text: String) -> String {
        let field = isFormula(text) ? "'" + text : text
        guard field.utf8.contains(where: { ",;\"\t\r\n'".utf8.contains($0) }) || field.first?.isWhitespace == true
        else {
            return field
        }
        return "\"" + doubledQuotes(field) + "\""
    }

    /// Some spreadsheets also accept the full-width characters, and skip white space. A number is not changed.
    private static func isFormula(_ text: String) -> Bool {
        let rest = text.unicodeScalars.drop { $0 == "'" || $0.properties.isWhitespace }
        guard let first = rest.first, Double(String(rest)) == nil else { return false }
        return "=+-@\u{FF1D}\u{FF0B}\u{FF0D}\u{FF20}".unicodeScalars.contains(first)
    }

    // MARK: - Reading

    /// Reads a table with a header. Fields are separated by commas, semicolons or tabs, whichever is most frequent in
    /// the header: spreadsheets write semicolons in some languages. A first line such as `sep=;` names the separator.
    /// Empty columns at the right, which spreadsheets write where something was once, are left out.
    ///
    /// - Throws: `PublishingError` with code `.format` or `.limit`. Its place is the line.
    package init(_ bytes: [UInt8], source: String) throws(PublishingError) {
        guard bytes.count <= Self.bytesLimit else {
            throw PublishingError(.limit, place: source, "it is larger than 16 MiB", remedy: "divide it")
        }
        guard String(validating: bytes, as: UTF8.self) != nil else {
            throw PublishingError(.format, place: source, "it is not in UTF-8", remedy: "save it as CSV in UTF-8")
        }
        var reader = CSVReader(bytes.starts(with: "\u{FEFF}".utf8) ? Array(bytes.dropFirst(3)) : bytes, source: source)
        guard let header = try reader.next() else {
            throw PublishingError(.format, place: source, "it is empty", remedy: "write a header in its first line")
        }
        columns = header.fields.map { Self.unguarded($0).filter { !$0.isWhitespace } }
        rows = []
        while columns.last?.isEmpty == true { columns.removeLast() }
        guard !columns.isEmpty else {
            throw PublishingError(
                .format, place: "\(source):\(header.line)", "it names no column",
                remedy: "write a header in the first line")
        }
        guard columns.count <= Self.columnsLimit, Set(columns).count == columns.count else {
            throw PublishingError(
                .format, place: "\(source):\(header.line)", "a column is there twice, or there are too many",
                remedy: "name each once")
        }
        while var row = try reader.next() {
            while row.fields.count > columns.count, row.fields.last?.isEmpty == true { row.fields.removeLast() }
            guard row.fields.contains(where: { !$0.isEmpty }) else { continue }
            guard row.fields.count <= columns.count else {
                throw PublishingError(
                    .format, place: "\(source):\(row.line)",
                    "it has \(row.fields.count) fields, the header has \(columns.count)",
                    remedy: "put texts with separators into quotation marks")
            }
            guard rows.count < Self.rowsLimit else {
                throw PublishingError(.limit, place: source, "it has more than \(Self.rowsLimit) lines")
            }
            rows.append(Row(line: row.line, fields: row.fields.map(Self.unguarded)))
        }
    }

    private static func unguarded(_ text: String) -> String {
        text.hasPrefix("'") && isFormula(String(text.dropFirst())) ? String(text.dropFirst()) : text
    }
}

/// Reads fields from the bytes of a CSV file.
private struct CSVReader {
    private let bytes: [UInt8]
    private let source: String
    private let separator: UInt8
    private var index = 0
    private var line = 1

    init(_ bytes: [UInt8], source: String) {
        self.bytes = bytes
        self.source = source
        if let named = Self.namedSeparator(bytes) {
            separator = named
            index = 5
            endLine()
            return
        }
        let header = bytes.prefix { $0 != UInt8(ascii: "\n") }
        // Separators between quotation marks are part of a name.
        let plain = header.split(separator: UInt8(ascii: "\""), omittingEmptySubsequences: false).enumerated()
            .filter { $0.offset.isMultiple(of: 2) }.flatMap(\.element)
        let counts = ",;\t".utf8.map { separator in (separator, plain.count { $0 == separator }) }
        separator = counts.max { $0.1 < $1.1 }.flatMap { $0.1 > 0 ? $0.0 : nil } ?? UInt8(ascii: ",")
    }

    /// Some spreadsheets take the separator from a first line `sep=;`, so other programs write it.
    private static func namedSeparator(_ bytes: [UInt8]) -> UInt8? {
        let first = bytes.prefix { $0 != UInt8(ascii: "\r") && $0 != UInt8(ascii: "\n") }
        guard first.count == 5, String(decoding: first.prefix(4), as: UTF8.self).lowercased() == "sep=",
            let named = first.last, ",;\t".utf8.contains(named)
        else { return nil }
        return named
    }

    mutating func next() throws(PublishingError) -> CSVTable.Row? {
        guard index < bytes.count else { return nil }
        var row = CSVTable.Row(line: line, fields: [])
        while true {
            row.fields.append(try field())
            guard row.fields.count <= 1000 else { throw malformed("it has more than 1000 fields") }
            guard index < bytes.count, bytes[index] == separator else { break }
            index += 1
        }
        endLine()
        return row
    }

    private mutating func endLine() {
        if index < bytes.count, bytes[index] == UInt8(ascii: "\r") { index += 1 }
        if index < bytes.count, bytes[index] == UInt8(ascii: "\n") { index += 1 }
        line += 1
    }

    private mutating func field() throws(PublishingError) -> String {
        var field: [UInt8] = []
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") else {
            while index < bytes.count, bytes[index] != separator, !isEnd(bytes[index]) {
                field.append(bytes[index])
                index += 1
            }
            return String(decoding: field, as: UTF8.self)
        }
        index += 1
        let opened = line
        while index < bytes.count {
            let byte = bytes[index]
            index += 1
            if byte == UInt8(ascii: "\"") {
                guard index < bytes.count, bytes[index] == byte else {
                    guard index == bytes.count || bytes[index] == separator || isEnd(bytes[index]) else {
                        throw malformed("something follows a closing quotation mark")
                    }
                    return String(decoding: field, as: UTF8.self)
                }
                index += 1
            }
            if byte == UInt8(ascii: "\n") { line += 1 }
            field.append(byte)
        }
        // All the rest of the table is in this field: where that ends helps nobody.
        line = opened
        throw malformed("a quotation mark is not closed")
    }

    private func isEnd(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\n") }

    private func malformed(_ problem: String) -> PublishingError {
        PublishingError(.format, place: "\(source):\(line)", problem, remedy: "save the table again as CSV")
    }
}
