import Foundation
import Media
import TestSupport
import Testing
import Text

@Suite("The program that decodes pictures", .timeLimit(.minutes(10)))
struct HelperTests {
    @Test(
        "it says what takes its rights away",
        .enabled(if: MediaBench.hasLibrary, Comment(rawValue: MediaBench.noLibrary)))
    func protections() async throws {
        let found = try await ImageHelper(program: MediaBench.helper).protections()
        #expect(found.libvips.hasPrefix("8."))
        let always = ["no_new_privs", "dumpable", "parent_death", "core", "memory", "cpu", "file_size", "descriptors"]
        #expect(Set(always).isSubset(of: Set(found.protections)))
        #expect(found.protections.contains("seccomp") || found.missing.contains("seccomp"))
        #expect(Set(found.protections + found.missing).isSuperset(of: ["landlock", "seccomp"]))
    }

    @Test(
        "without it, pictures are refused with what to install, and captions are not",
        arguments: [nil, "/nowhere/at/all", "/etc/passwd"])
    func missing(_ program: String?) async throws {
        let bench = try MediaBench(helper: program)
        let error = await bench.refusal(of: Samples.jpeg)
        #expect(error?.code == .helperMissing && error?.remedy.contains("install beacon-content-server") == true)
        #expect(bench.files("media") == [] && bench.files("uploads") == [])
        _ = try await bench.library.add(Array(Containers.captions.utf8), name: "a.vtt")
    }

    static let answers: [(String, MediaError.Code)] = [
        ("echo '{\"error\":\"library\",\"detail\":\"libvips.so.42: cannot open\"}'", .libraryMissing),
        ("exit 3", .damaged), ("kill -11 $$", .damaged), ("kill -9 $$", .tooSlow), ("true", .damaged),
        ("echo no JSON", .damaged), ("yes | head -c 10000000", .damaged),
        ("echo '{\"format\":\"exe\",\"width\":1,\"height\":1}'", .damaged),
        ("echo '{\"format\":\"jpeg\",\"width\":0,\"height\":1}'", .damaged),
        ("echo '{\"format\":\"jpeg\",\"width\":-48,\"height\":-32}'", .damaged),
        ("echo '{\"format\":\"jpeg\",\"width\":10000,\"height\":10000}'", .damaged),
        ("echo '{\"format\":\"jpeg\",\"width\":9223372036854775807,\"height\":2}'", .damaged),
        ("exec sleep 1000", .tooSlow), ("sleep 1000 & wait", .tooSlow),
    ]

    @Test("whatever it does instead, the upload is refused and the server goes on", arguments: answers)
    func answer(_ script: String, _ code: MediaError.Code) async throws {
        let folder = try TemporaryFolder()
        let path = folder.path("helper")
        try await writeScript("#!/bin/sh\n\(script)\n", to: path)
        var limits = MediaLimits()
        limits.jobSeconds = code == .tooSlow ? 0.5 : 60
        let bench = try MediaBench(limits, helper: path)
        let error = await bench.refusal(of: Samples.jpeg)
        #expect(error?.code == code, "\(error?.description ?? "taken")")
        #expect(error?.remedy.isEmpty == false)
        #expect(bench.files("media") == [] && bench.files("uploads") == [])
    }

    @Test("its reason is shown in one line, without characters that hide other text")
    func reason() {
        let answer = #"{"error":"writing","detail":"no\nroom\u001b[2J\u202e"}"#
        let error = #expect(throws: MediaError.self) { try PictureFacts(answer: Array(answer.utf8), MediaLimits()) }
        #expect(error?.arguments == ["no room\u{FFFD}[2J\u{FFFD}"])
        #expect(error?.problem == "the new picture cannot be written: no room\u{FFFD}[2J\u{FFFD}")
    }

    static let commands = [
        [], ["paint"], ["inspect", "1"], ["--pixels", "check"], ["--pixels", "0", "inspect"], ["crop", "1", "2", "3"],
    ]

    @Test("a command line that it does not know ends it with status 64", arguments: commands)
    func usage(_ words: [String]) async throws {
        let program = try RunningProgram(MediaBench.helper, words)
        let outcome = try await program.wait()
        #expect(outcome.status == 64 && outcome.errors.contains("docs/media.md"))
    }

    @Test(
        "memory and pixels have limits, whatever the header says",
        .enabled(if: MediaBench.hasLibrary, Comment(rawValue: MediaBench.noLibrary)))
    func limits() async throws {
        let folder = try TemporaryFolder()
        try Data(PNGMaker(width: 300, height: 300).octets).write(to: URL(fileURLWithPath: folder.path("a.png")))
        let shell = try RunningProgram(
            "/bin/sh", ["-c", "\"$0\" --pixels 80000 inspect <\"$1\"", MediaBench.helper, folder.path("a.png")])
        let outcome = try await shell.wait()
        #expect(outcome.output.contains("\"error\":\"pixels\"") && outcome.output.contains("\"width\":300"))
    }
}
