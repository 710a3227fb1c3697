package import SiteFormat

/// What `check` finds about one file.
package struct MediaFinding: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: String, Hashable, Sendable {
        /// A document names it, and it is not there.
        case missing
        /// Its bytes do not have its hash.
        case damaged
        /// No document and no revision needs it, and it is not new.
        case unused
        /// A name that the library does not make.
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
        case .unused: "\(path): nothing needs it; the server removes it when it is started"
        case .foreign: "\(path): no file of the library"
        }
    }
}
