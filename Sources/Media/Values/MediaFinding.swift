package import SiteFormat

/// What `check` reports about one file.
package struct MediaFinding: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, Hashable, Sendable {
        /// A document names the file, and it does not exist.
        case missing
        /// The file's content does not match its hash.
        case damaged
        /// No document and no revision needs the file, and it is not new.
        case unused
        /// The file's name is not one that the library creates.
        case foreign
    }

    package var kind: Kind
    /// Nil for a foreign file.
    package var hash: AssetHash?
    package var path: String

    package var description: String {
        switch kind {
        case .missing: "\(path): missing; restore it from a backup, or upload the file again"
        case .damaged: "\(path): its bytes have changed; restore it from a backup, or upload the file again"
        case .unused: "\(path): nothing needs it; the server removes it within an hour"
        case .foreign: "\(path): no file of the library"
        }
    }
}
