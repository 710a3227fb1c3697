import Foundation
import Testing
import TestSupport

/// What others wrote is installed in exactly the versions that are written down.
@Suite("The versions of what others wrote", .timeLimit(.minutes(10)))
struct PinTests {
    private static let peers = "\(Programs.project)/Tests/Peers"

    static func lists() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: peers).sorted()
            .filter { $0.hasPrefix("requirements") && $0.hasSuffix(".in") }.map { String($0.dropLast(3)) }
    }

    private static func lines(_ file: String) throws -> [String] {
        try String(contentsOfFile: "\(peers)/\(file)", encoding: .utf8).split(separator: "\n").map(String.init)
            .filter { !$0.hasPrefix("#") }
    }

    @Test("have the hashes of all Python packages, and every one that is wished for", arguments: try lists())
    func wheels(list: String) throws {
        var pinned: [String: Int] = [:]
        var last = ""
        for line in try Self.lines("\(list).txt") {
            if line.wholeMatch(of: /\s{4}--hash=sha256:[0-9a-f]{64}( \\)?/) != nil {
                pinned[last, default: 0] += 1
            } else {
                let match = try #require(line.wholeMatch(of: /([a-z0-9-]+==[^ ]+)( ; .*)? \\/), "\(list): \(line)")
                last = String(match.1)
                pinned[last] = 0
            }
        }
        #expect(!pinned.isEmpty && pinned.values.allSatisfy { $0 > 0 })
        for wish in try Self.lines("\(list).in") { #expect(pinned[wish] != nil, "\(wish): run tools/pin wheels") }
    }

    @Test("every list of Python packages comes from one of wishes")
    func wishes() throws {
        let files = try FileManager.default.contentsOfDirectory(atPath: Self.peers)
            .filter { $0.hasPrefix("requirements") && $0.hasSuffix(".txt") }
        #expect(try Set(files) == Set(Self.lists().map { "\($0).txt" }))
    }

    @Test("a build warns of each Swift package that is another one")
    func packages() async throws {
        let folder = try TemporaryFolder()
        let pins = try String(contentsOfFile: "\(Programs.project)/tools/lib/swift-packages.txt", encoding: .utf8)
            .split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(pins.count > 10 && pins.allSatisfy { $0.count == 3 && $0[2].count == 40 })
        func compared(_ pins: [[String]]) async throws -> String {
            let packages = pins.map { pin in
                """
                    {
                      "identity" : "\(pin[0])",
                      "location" : "https://example.org/\(pin[0])",
                      "state" : {
                        "revision" : "\(pin[2])",
                        "version" : "\(pin[1])"
                      }
                    }
                """
            }
            let file = "\(folder)/Package.resolved"
            try ("{\n  \"pins\" : [\n" + packages.joined(separator: ",\n") + "\n  ],\n  \"version\" : 3\n}\n")
                .write(toFile: file, atomically: true, encoding: .utf8)
            let end = try await RunningProgram.run(
                "/bin/bash", ["-c", "source '\(Programs.project)/tools/lib/common.sh'; compare_packages '\(file)'"])
            #expect(end.status == 0)
            return end.errors
        }
        #expect(try await compared(pins) == "")
        var others = pins
        others[1][1] = "0.0.1"
        others[2][2] = String(repeating: "0", count: 40)
        others.removeLast()
        others.append(["swift-surprise", "1.0.0", String(repeating: "1", count: 40)])
        let told = try await compared(others)
        for name in [pins[1][0], pins[2][0], pins[pins.count - 1][0], "swift-surprise"] {
            #expect(told.contains(name), "\(told)")
        }
        #expect(!told.contains("\(pins[0][0]) ") && told.contains("tools/pin packages"))
    }
}
