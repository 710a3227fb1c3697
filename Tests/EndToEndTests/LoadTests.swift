import Foundation
import Testing
import TestSupport

/// Clients at their worst: ranging goes on, and what they cost has a limit. `tools/load-test` has the heavy variants.
@Suite(.serialized, .timeLimit(.minutes(10)))
struct LoadTests {
    /// A daemon with something in its store.
    private struct Loaded {
        let folder: String
        let daemon: RunningProgram
        var socket: String { "\(folder)/control.sock" }

        /// - Parameter limit: of descriptors; nil for the usual one.
        init(limit: Int? = nil, fill: (_ content: String) throws -> Void = { _ in }) async throws {
            folder = try temporaryFolder("load")
            try "".write(toFile: "\(folder)/beacond.yaml", atomically: false, encoding: .utf8)
            try FileManager.default.createDirectory(
                atPath: "\(folder)/state/content", withIntermediateDirectories: true)
            try fill("\(folder)/state/content")
            daemon = try Self.start(folder, limit: limit)
            let socket = "\(folder)/control.sock"
            try await daemon.waitUntil("something is near, and it can be asked") {
                $0.errors.contains("nearest  ") && FileManager.default.fileExists(atPath: socket)
            }
        }

        static func start(_ folder: String, limit: Int?) throws -> RunningProgram {
            let arguments = [
                "--config", "\(folder)/beacond.yaml", "--source", "sim", "--state-dir", "\(folder)/state", "--socket",
                "\(folder)/control.sock",
            ]
            guard let limit else { return try RunningProgram(Programs.beacond, arguments) }
            return try RunningProgram(
                "bash", ["-c", "ulimit -n \(limit); exec \"$0\" \"$@\"", Programs.beacond] + arguments)
        }

        func get(_ path: String) async throws -> RawResponse {
            try await RawConnection(unix: socket).ask(path, fields: ["Host: localhost", "Connection: close"])
        }

        /// The longest pause between two rankings so far, in seconds.
        func longestGap() async throws -> Double {
            let text = try await get("/metrics").text
            let line = text.split(separator: "\n").first { $0.hasPrefix("beacond_ranging_longest_tick_gap_seconds ") }
            return try #require(line?.split(separator: " ").last.flatMap { Double($0) }, "\(text.prefix(500))")
        }

        func end() async throws {
            #expect(try await daemon.stop().status == 0)
            try? FileManager.default.removeItem(atPath: folder)
        }
    }

    @Test("16 clients that ask for the list of thousands do not hold ranging up, and all get it")
    func content() async throws {
        var gaps: [Double] = []
        // The machine may do something else meanwhile: the best of some counts.
        while gaps.count < 5, gaps.min() ?? 9 >= 1 {
            let loaded = try await Loaded { folder in
                for major in 0..<8 {
                    let path = "\(folder)/beacons/7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096/\(major)"
                    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                    for minor in 0..<250 {
                        try #"{"format":1,"beacon":null,"images":[]}"#.write(
                            toFile: "\(path)/\(minor).json", atomically: false, encoding: .utf8)
                    }
                }
            }
            // Beside it one without clients: what the machine withholds from that one, too, is not the clients' fault.
            let idle = try await Loaded()
            let clients = try (0..<16).map { _ in try RawConnection(unix: loaded.socket) }
            for client in clients {
                await client.send("GET /v1/content HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
            }
            for client in clients {
                try await client.waitUntil("it has the list") { $0.isOver }
                let answer = try #require(RawResponse(client.received, isOver: true))
                #expect(answer.status == 200 && answer.text.components(separatedBy: #""scope""#).count == 2001)
            }
            gaps.append(try await loaded.longestGap() - max(0, idle.longestGap() - 0.5))
            try await loaded.end()
            try await idle.end()
        }
        print("the longest pause between two rankings: \(gaps) s")
        #expect(try #require(gaps.min()) < 1)
    }

    @Test("clients that read a large file slowly cost little, and ranging goes on")
    func readers() async throws {
        let hash = String(repeating: "0", count: 64)
        let loaded = try await Loaded { folder in
            try FileManager.default.createDirectory(atPath: "\(folder)/assets/00", withIntermediateDirectories: true)
            #expect(FileManager.default.createFile(atPath: "\(folder)/assets/00/\(hash)", contents: nil))
            #expect(truncate("\(folder)/assets/00/\(hash)", 64 << 20) == 0)
        }
        let before = try #require(loaded.daemon.residentOctets)
        var readers: [RawConnection] = []
        for _ in 0..<60 {
            let reader = try RawConnection(unix: loaded.socket)
            await reader.send("GET /v1/content/assets/\(hash) HTTP/1.1\r\nHost: localhost\r\n\r\n")
            readers.append(reader)
        }
        // One who reads gets all of it, the others notwithstanding.
        let whole = try await loaded.get("/v1/content/assets/\(hash)")
        #expect(whole.status == 200 && whole.body.count == 64 << 20)
        let after = try #require(loaded.daemon.residentOctets)
        print("60 slow readers: \((after - before) >> 20) MiB; the longest pause: \(try await loaded.longestGap()) s")
        #expect(!Sanitizer.leavesMemory || after - before < 48 << 20, "\(before) octets before, \(after) after")
        withExtendedLifetime(readers) {}
        try await loaded.end()
    }

    @Test("where few descriptors may be open, clients are refused first, and the daemon goes on")
    func descriptors() async throws {
        let loaded = try await Loaded(limit: 200)
        var clients: [RawConnection] = []
        for _ in 0..<300 {
            // Beyond what the kernel keeps for the listener, connecting would wait.
            guard let client = try? RawConnection(unix: loaded.socket) else { break }
            clients.append(client)
            await client.send("GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n")
        }
        for client in clients { try await client.waitUntil("it is answered") { !$0.received.isEmpty || $0.isOver } }
        let served = clients.count { $0.text.hasPrefix("HTTP/1.1 200") }
        #expect((10...40).contains(served), "\(served) of \(clients.count)")
        #expect(loaded.daemon.status == nil)
        clients = []
        try await waitUntilServed(loaded)
        try await loaded.end()
    }

    private func waitUntilServed(_ loaded: Loaded) async throws {
        try await loaded.daemon.waitUntil("who comes later is served") { _ in
            guard let connection = try? RawConnection(unix: loaded.socket) else { return false }
            withExtendedLifetime(connection) {}
            return true
        }
        try await waitUntil("it is answered as before") { (try? await loaded.get("/v1/status").status) == 200 }
    }

    @Test("with too few descriptors it does not start, and says why", arguments: [32, 64, 100])
    func tooFew(limit: Int) async throws {
        let folder = try TemporaryFolder()
        try "".write(toFile: "\(folder)/beacond.yaml", atomically: false, encoding: .utf8)
        let outcome = try await Loaded.start(folder.path, limit: limit).wait()
        #expect(outcome.status == 1)
        #expect(
            outcome.errors.contains("only \(limit) file descriptors may be open, and it needs 128"), "\(outcome.errors)"
        )
    }

    @Test("all of its threads keep the priority that it was started with")
    func priority() async throws {
        let folder = try TemporaryFolder()
        let daemon = try RunningProgram(
            "nice",
            [
                "-n", "5", Programs.beacond, "--config", "/dev/null", "--source", "sim", "--state-dir",
                "\(folder)/state", "--socket",
                "\(folder)/control.sock"])
        try await daemon.waitUntil("something is near, and it can be asked") {
            $0.errors.contains("nearest  ") && FileManager.default.fileExists(atPath: "\(folder)/control.sock")
        }
        #expect(try await RawConnection(unix: "\(folder)/control.sock").ask("/v1/status").status == 200)
        let process = try FileManager.default.contentsOfDirectory(atPath: "/proc").first { name in
            let arguments = FileManager.default.contents(atPath: "/proc/\(name)/cmdline") ?? Data()
            return String(decoding: arguments, as: UTF8.self).contains("\(folder)/state")
        }
        let tasks = "/proc/\(try #require(process))/task"
        let priorities = try FileManager.default.contentsOfDirectory(atPath: tasks).compactMap { task -> Substring? in
            let text = try? String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8)
            // The 19th field of proc(5); the second may hold anything.
            return text?.split(separator: ")").last?.split(separator: " ").dropFirst(16).first
        }
        #expect(priorities.count > 3 && priorities.allSatisfy { $0 == "5" }, "\(priorities)")
        _ = try await daemon.stop()
    }
}
