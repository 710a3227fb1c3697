import Foundation

/// Where the programs under test are.
package enum Programs {
    package static let beacond = path(of: "beacond")
    package static let beaconctl = path(of: "beaconctl")
    package static let beaconAdvertise = path(of: "beacon-advertise")
    /// What tests start to kill it.
    package static let testHelper = path(of: "test-helper")

    /// In `$BEACOND_BIN`, or where the build has put the test bundle too.
    package static func path(of name: String) -> String {
        let folders = [
            ProcessInfo.processInfo.environment["BEACOND_BIN"],
            folder(of: CommandLine.arguments.first), folder(of: "/proc/self/exe", resolving: true),
        ]
        let found = folders.compactMap { $0 }.map { "\($0)/\(name)" }.first {
            FileManager.default.isExecutableFile(atPath: $0)
        }
        // Starting it then fails with a message that has this name.
        return found ?? name
    }

    private static func folder(of path: String?, resolving: Bool = false) -> String? {
        guard let path else { return nil }
        let url = URL(fileURLWithPath: path)
        return (resolving ? url.resolvingSymlinksInPath() : url).deletingLastPathComponent().path
    }

    /// The root of this package.
    package static let project = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().path

    /// A program of the system, or nil where it is not installed.
    package static func installed(_ name: String) -> String? {
        let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
        return (path.split(separator: ":").map(String.init) + ["/usr/sbin", "/usr/bin"]).map { "\($0)/\(name)" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }
}
