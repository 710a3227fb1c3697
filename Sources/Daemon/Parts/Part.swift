package import ServiceLifecycle

/// A piece of the daemon that can be ended and started again by itself: a source, the content, an output.
package struct Part: Sendable {
    /// The name in messages; unique among the parts.
    let name: String
    /// The settings that the part is made from. A reload restarts the part only if they have changed. Nil if no
    /// setting affects it.
    let settings: (any Equatable & Sendable)?
    /// If an essential part cannot be made at the start, the daemon does not start.
    let isEssential: Bool
    /// Makes the part's service. Throws an error whose text says what to do.
    let make: @Sendable () async throws -> any Service

    package init(
        _ name: String, settings: (any Equatable & Sendable)? = nil, isEssential: Bool = false,
        make: @escaping @Sendable () async throws -> any Service
    ) {
        self.name = name
        self.settings = settings
        self.isEssential = isEssential
        self.make = make
    }

    func isSame(as other: Part) -> Bool {
        func isEqual<Settings: Equatable>(_ mine: Settings) -> Bool { other.settings as? Settings == mine }
        guard name == other.name else { return false }
        return if let settings { isEqual(settings) } else { other.settings == nil }
    }
}
