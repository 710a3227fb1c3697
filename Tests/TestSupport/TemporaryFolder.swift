import Foundation

/// A folder for one test, which goes with its last owner.
public final class TemporaryFolder: Sendable {
    public let path: String

    public init() throws {
        path = try temporaryFolder("test")
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// A path in it.
    public func path(_ name: String) -> String { "\(path)/\(name)" }

    /// What a file in it has.
    public func text(_ name: String) throws -> String {
        try String(contentsOfFile: path(name), encoding: .utf8)
    }

    /// What is in it, sorted.
    public var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
    }
}
