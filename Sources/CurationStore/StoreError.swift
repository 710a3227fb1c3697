package import Curation
import GRDB
import Text

/// The reason why the store refused something or failed. The text says what to do.
package struct StoreError: ExplainedError, Hashable {
    /// The kind of problem. An open set.
    package struct Code: RawRepresentable, Hashable, Sendable {
        package var rawValue: String

        package init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// There is no such document, version, revision, account and so on.
        package static let notFound = Code(rawValue: "not-found")
        /// Somebody else has changed it meanwhile; `current` is what is stored now.
        package static let conflict = Code(rawValue: "conflict")
        /// Another document or account has this identity or name. `other` is the document.
        package static let taken = Code(rawValue: "taken")
        /// The value of `field` cannot be stored.
        package static let invalid = Code(rawValue: "invalid")
        /// A wrong name or password, or a token, link or session that is unknown or has expired.
        package static let denied = Code(rawValue: "denied")
        /// Too many or too large.
        package static let limit = Code(rawValue: "limit")
        /// There were too many attempts: try again later.
        package static let tooOften = Code(rawValue: "too-often")
        /// Another process is writing, or too much work is waiting: try again.
        package static let busy = Code(rawValue: "busy")
        /// The disk is full.
        package static let full = Code(rawValue: "full")
        /// The file is not a database, or its content is not what this program writes.
        package static let damaged = Code(rawValue: "damaged")
        /// A later version of this program wrote the file.
        package static let newer = Code(rawValue: "newer")
        /// The work was cancelled, and nothing was changed.
        package static let interrupted = Code(rawValue: "interrupted")
        /// The file cannot be opened, read or written.
        package static let unusable = Code(rawValue: "unusable")

        /// All codes of this version. The pages have a text for each.
        package static let known: [Code] = [
            .notFound, .conflict, .taken, .invalid, .denied, .limit, .tooOften, .busy, .full, .damaged, .newer,
            .interrupted, .unusable,
        ]
    }

    package var code: Code
    package var place: String
    package var problem: String
    package var remedy: String
    /// For `conflict`: the document as it is stored now.
    package var current: StoredDocument?
    /// For `taken`: the document that has the identity.
    package var other: DocumentID?
    /// For `taken`, `invalid` and `limit`: the path in the document's JSON, so that the error can be shown beside the
    /// field.
    package var field: String?
    /// For `tooOften`: the seconds after which the next attempt may succeed.
    package var retryAfter: Int?

    package init(_ code: Code, at place: String = "", _ problem: String, remedy: String = "", field: String? = nil) {
        self.code = code
        self.place = place
        self.problem = problem
        self.remedy = remedy
        self.field = field
    }

    static func noDocument(_ id: DocumentID) -> StoreError {
        StoreError(.notFound, "there is no document \(id)", remedy: "it may have been deleted for good")
    }

    static func damaged(_ what: String) -> StoreError {
        StoreError(.damaged, "the database holds \(what)", remedy: "restore a backup")
    }

    /// Converts any error that is thrown during work in the database.
    init(_ error: any Error, file: String) {
        guard let error = error as? DatabaseError else {
            self =
                switch error {
                case let error as StoreError: error
                case is CancellationError: .init(.interrupted, "the work was cancelled", remedy: "try again")
                case let error as any ExplainedError:
                    .init(.invalid, at: error.place, error.problem, remedy: error.remedy)
                default: .init(.unusable, at: file, "\(error)")
                }
            return
        }
        let text = error.message ?? "\(error.resultCode)"
        switch error.resultCode {
        case .SQLITE_FULL:
            self.init(.full, at: file, "the disk is full", remedy: "make room on the disk; nothing was changed")
        case .SQLITE_IOERR where error.extendedResultCode == .SQLITE_IOERR_WRITE:
            self.init(.full, at: file, "the disk takes no more", remedy: "make room on the disk; nothing was changed")
        case .SQLITE_INTERRUPT, .SQLITE_ABORT:
            self.init(.interrupted, "the work was cancelled", remedy: "try again")
        case .SQLITE_BUSY, .SQLITE_LOCKED:
            self.init(.busy, at: file, "another process is writing", remedy: "try again")
        case .SQLITE_CORRUPT, .SQLITE_NOTADB:
            self.init(.damaged, "\(file) is damaged: \(text)", remedy: "restore a backup")
        case .SQLITE_CANTOPEN, .SQLITE_READONLY, .SQLITE_PERM:
            self.init(
                .unusable, "\(file) cannot be written: \(text)",
                remedy: "run this as the server's user; the file and its folder have to belong to that user")
        default:
            self.init(.unusable, at: file, text)
        }
    }
}
