/// Why a capture cannot be read further or cannot be written.
///
/// All records before this place were delivered.
package struct CaptureError: Error, Hashable, Sendable {
    package var code: Code
    /// The file's name, as the reader was given it.
    package var path: String
    /// Where the problem begins, in bytes from the start of the file; nil if it has no place.
    package var offset: UInt64?
    /// The line where the problem begins, counted from 1; nil in binary formats.
    package var line: Int?
    /// What is wrong and what to do, without path and place.
    package var detail: String
    /// How many records were delivered before.
    package var recordsBefore: Int

    /// The `detail` for a file header after the records of another capture.
    static let anotherFile = "another capture begins here; give each capture a --source of its own"

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

    /// The kind of problem. An open set.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The file cannot be opened, read or written; `detail` has the system's reason.
        package static let inputOutput = Self(rawValue: "inputOutput")
        /// The file has no bytes.
        package static let empty = Self(rawValue: "empty")
        /// The reader does not recognise the format.
        package static let unknownFormat = Self(rawValue: "unknownFormat")
        /// A known container with packets of a kind, or in a version, that is not supported.
        package static let unsupported = Self(rawValue: "unsupported")
        /// The file ends within a record.
        package static let truncated = Self(rawValue: "truncated")
        /// A record with an impossible header.
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
