package import GRDB
import Text

/// Why the history cannot be written or read. The text says what to do.
package struct HistoryError: ExplainedError, Hashable {
    /// The kind of problem. An open set.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// History is switched off or has not started yet.
        package static let off = Code(rawValue: "off")
        /// The disk is full, or the allowed size is reached.
        package static let full = Code(rawValue: "full")
        /// The file is not a database, or is incomplete.
        package static let damaged = Code(rawValue: "damaged")
        /// A later version of this program wrote the file.
        package static let newer = Code(rawValue: "newer")
        /// The work was not done: the daemon is ending or reloading its settings, or no client waits any more.
        package static let interrupted = Code(rawValue: "interrupted")
        /// The file cannot be opened, read or written.
        package static let unusable = Code(rawValue: "unusable")
    }

    package var code: Code
    package var place: String
    package var problem: String
    package var remedy: String

    package init(_ code: Code, at place: String = "", _ problem: String, remedy: String = "") {
        self.code = code
        self.place = place
        self.problem = problem
        self.remedy = remedy
    }

    static let off = HistoryError(
        .off, "no history is kept", remedy: "set history.enabled to true, and reload the configuration")

    static let missing = HistoryError(
        .damaged, "the history was damaged, and another one cannot be opened yet", remedy: "see what the log says of it"
    )

    static let interrupted = HistoryError(
        .interrupted, "the history is being closed", remedy: "ask again when beacond has started again")

    static let abandoned = HistoryError(
        .interrupted, "the client of this report has left", remedy: "ask for it again")

    /// An error of the database.
    ///
    /// - Parameter setting: the setting that limits its size; nil if the limit is fixed.
    package init(_ error: any Error, file: String, limitedBy setting: String? = "history.maximum_bytes") {
        guard let error = error as? DatabaseError else {
            self = error as? HistoryError ?? HistoryError(.unusable, at: file, "\(error)")
            return
        }
        let text = error.message ?? "\(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(
                .full, at: file, "the disk is full", remedy: "make room" + (setting.map { ", or lower \($0)" } ?? ""))
        case .SQLITE_INTERRUPT, .SQLITE_ABORT: self = .interrupted
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(.damaged, "\(file) is damaged: \(text)")
        case _ where error.isDenial:
            self.init(
                .unusable, "\(file) cannot be written: \(text)",
                remedy: "it and its folder have to belong to this program's user")
        default:
            self.init(.unusable, at: file, text)
        }
    }
}

extension DatabaseError {
    /// Whether the user may not open, read or write the file, or SQLite may not write beside it.
    package var isDenial: Bool {
        switch resultCode {
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM: true
        default: false
        }
    }
}
