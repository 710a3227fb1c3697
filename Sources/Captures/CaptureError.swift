/// Why a capture cannot be read any further, or not be written.
///
/// Everything that stood before the place was delivered.
package struct CaptureError: Error, Hashable, Sendable {
    /// The kind of trouble.
    package var code: Code
    /// The file, as it was named to the reader.
    package var path: String
    /// Where the trouble begins, in octets from the start of the file; nil where it has no place.
    package var offset: UInt64?
    /// The line where the trouble begins, counted from 1; nil in binary formats.
    package var line: Int?
    /// What is wrong and what to do, without path and place.
    package var detail: String
    /// How many records were delivered before.
    package var recordsBefore: Int

    init(
        _ code: Code, path: String, offset: UInt64? = nil, line: Int? = nil, detail: String, recordsBefore: Int = 0
    ) {
        self.code = code
        self.path = path
        self.offset = offset
        self.line = line
        self.detail = detail
        self.recordsBefore = recordsBefore
    }

    /// The kind of trouble. An open set.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The file cannot be opened, read or written; `detail` has the system's reason.
        package static let inputOutput = Self(rawValue: "inputOutput")
        /// No octets at all.
        package static let empty = Self(rawValue: "empty")
        /// Nothing that a reader knows.
        package static let unknownFormat = Self(rawValue: "unknownFormat")
        /// A known container with packets of a kind, or of a version, that is not understood.
        package static let unsupported = Self(rawValue: "unsupported")
        /// The file ends within a record.
        package static let truncated = Self(rawValue: "truncated")
        /// A record whose head makes no sense.
        package static let damaged = Self(rawValue: "damaged")
    }
}

extension CaptureError: CustomStringConvertible {
    /// `walk.btsnoop: at byte 1234: the file ends within a record; the 17 records before it were used`.
    package var description: String {
        var text = "\(path): "
        if let line {
            text += "line \(line): "
        } else if let offset {
            text += "at byte \(offset): "
        }
        text += detail
        switch (code, recordsBefore) {
        case (.truncated, 0), (.damaged, 0): text += "; no record stands before it"
        case (_, 0): break
        case (_, 1): text += "; the record before it was used"
        default: text += "; the \(recordsBefore) records before it were used"
        }
        return text
    }
}
