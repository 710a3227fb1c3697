import Foundation

/// Other people's controllers and hosts: rootcanal and Bumble, from the Python environment that `tools/test` makes.
package enum Peers {
    /// Why they cannot be used here; nil where they can.
    package static let absence: String? = {
        if let absence = environment.absence { return absence }
        let program = environment.installed("rootcanal/bin/linux-\(architecture)/rootcanal")
        let isExecutable = program.map { FileManager.default.isExecutableFile(atPath: $0) } ?? false
        return isExecutable ? nil : "rootcanal has no program for \(architecture)"
    }()

    private static let environment = PythonEnvironment("BEACOND_TEST_VENV", "venv")

    #if arch(x86_64)
        private static let architecture = "x86_64"
    #else
        private static let architecture = "aarch64"
    #endif

    static func start(_ script: String, _ arguments: [String], input: RunningProgram.Input = .nothing) throws
        -> RunningProgram {
        try RunningProgram(
            environment.python(), ["-B", "\(Programs.project)/Tests/Peers/\(script)"] + arguments, input: input,
            environment: ["PYTHONUNBUFFERED": "1"])
    }
}

/// Which commands and packets an advertiser or scanner uses.
package enum CommandFamily: String, Sendable, CaseIterable {
    case legacy
    case extended
}

/// An air of rootcanal's. Every connection to one of its ports is a new controller, and all hear each other.
package final class RootcanalAir: Sendable {
    private struct Ports: Decodable {
        var hci: UInt16
        var legacy: UInt16
    }

    private let program: RunningProgram
    private let ports: Ports

    /// Starts it, and returns when controllers can be reached.
    package init() async throws {
        program = try Peers.start("air.py", [], input: .pipe)
        try await program.waitUntil("rootcanal is up") { !$0.lines.isEmpty }
        ports = try JSONDecoder().decode(Ports.self, from: Data((program.lines.first ?? "").utf8))
    }

    /// The H4 port of controllers that know legacy commands only, or also the extended ones.
    package func port(_ family: CommandFamily) -> UInt16 {
        family == .legacy ? ports.legacy : ports.hci
    }

    /// A controller as a source of ours.
    package func source(_ family: CommandFamily) -> String {
        "h4:tcp:127.0.0.1:\(port(family))"
    }

    /// From now on no controller says anything, and no command is answered.
    package func freeze() async throws {
        try program.write("freeze")
        try await program.waitUntil("rootcanal is frozen") { $0.lines.count > 1 }
    }

    /// rootcanal aborts when it is sent a command of the wrong length. Nil while it lives, else its last words.
    package var death: String? {
        program.status.map { "rootcanal's air ended with \($0):\n\(program.errors)" }
    }

    /// Ends it, as a controller's cable that is pulled.
    package func stop() async throws {
        _ = try await program.stop()
    }

    // MARK: - Hosts on it

    /// Bumble's host advertises an iBeacon; returns when it is on the air.
    package func advertise(
        uuid: String, major: Int, minor: Int, power: Int, _ family: CommandFamily, intervalMs: Int = 100
    ) async throws -> RunningProgram {
        let advertiser = try Peers.start(
            "bumble_advertise.py",
            [
                "\(port(family))", "--uuid", uuid, "--major", "\(major)", "--minor", "\(minor)", "--power", "\(power)",
                "--interval-ms", "\(intervalMs)",
            ] + (family == .extended ? ["--extended"] : []))
        try await advertiser.waitUntil("it is on the air") { $0.lines.contains("on air") }
        return advertiser
    }

    /// Bumble's host scans, and prints a JSON line for every iBeacon; returns when it listens.
    package func scan(_ family: CommandFamily) async throws -> RunningProgram {
        let scanner = try Peers.start(
            "bumble_scan.py", ["\(port(family))"] + (family == .legacy ? ["--legacy"] : []))
        try await scanner.waitUntil("it listens") { !$0.lines.isEmpty }
        return scanner
    }
}
