/// Which refusal of a configuration was told last, so that nobody reads the same one twice: the change of a file is
/// noticed, and then somebody asks for a reload.
package struct RefusalMemory {
    private var told: (problems: [String], at: ContinuousClock.Instant)?

    package init() {}

    /// Who asks later than this is answered in the log too.
    private static let span = Duration.seconds(30)

    /// Whether these problems are to be told, and notes that they are.
    ///
    /// - Parameter isAsked: somebody asked for the configuration to be read, rather than that its file changed.
    package mutating func isNews(_ problems: [String], isAsked: Bool, at now: ContinuousClock.Instant) -> Bool {
        if let told, told.problems == problems, !isAsked || now - told.at < Self.span { return false }
        told = (problems, now)
        return true
    }

    /// A configuration was good.
    package mutating func forget() {
        told = nil
    }
}
