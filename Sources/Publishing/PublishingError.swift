import Text

/// Why something could not be published, imported or exported.
package struct PublishingError: ExplainedError, Hashable, Sendable {
    /// The kind of failure, for programs.
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// The documents cannot be published as they are.
        case content
        /// The key is missing or unusable.
        case key
        /// Another program publishes into the same folder.
        case busy
        /// A file or folder cannot be read or written.
        case storage
        /// The file to be imported is not in the expected format.
        case format
        /// It is larger than the limit.
        case limit
    }

    package var code: Code
    package var place: String
    package var problem: String
    package var remedy: String

    package init(_ code: Code, place: String = "", _ problem: String, remedy: String = "") {
        self.code = code
        self.place = place
        self.problem = problem
        self.remedy = remedy
    }
}
