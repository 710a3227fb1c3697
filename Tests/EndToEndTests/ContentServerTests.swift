import Foundation
import Testing
import TestSupport

@Suite("beacon-content-server", .timeLimit(.minutes(15)))
struct ContentServerProgramTests {
    private static let program = Programs.path(of: "beacon-content-server")
    private static let password = "correct horse battery"

    private func run(_ arguments: [String], _ folder: TemporaryFolder, input: String = "") async throws
        -> RunningProgram.Outcome
    {
        try await RunningProgram.run(Self.program, arguments + ["--state", folder.path], input: .text(input))
    }

    /// The address of a server that has started, from what it prints.
    private func address(of server: RunningProgram) async throws -> String {
        try await eventually("the server says where its pages are", state: server.errors) {
            server.lines.first { $0.hasPrefix("the pages are at ") }.map { String($0.dropFirst(17)) }
        }
    }

    @Test("makes, lists and removes accounts, with passwords from standard input")
    func accounts() async throws {
        let folder = try TemporaryFolder()
        #expect(
            try await run(["user", "add", "ana", "--role", "administrator"], folder, input: Self.password + "\n").status
                == 0)
        let short = try await run(["user", "add", "ben"], folder, input: "short\n")
        #expect(short.status == 1 && short.errors.hasPrefix("beacon-content-server: "))
        #expect(try await run(["user", "list"], folder).output == "ana administrator\n")
        #expect(try await run(["user", "remove", "ana"], folder).status == 1)
        #expect(try await run(["user", "add", "cy", "--role", "king"], folder, input: "x").status == 2)
        let unread = try await run(["user", "add", "cy", "--password-file", folder.path], folder)
        #expect(unread.status == 1 && unread.errors.contains("it cannot be read: Is a directory"), "\(unread.errors)")
    }

    @Test("drafts that cannot be published are named, with what can be published without them")
    func unfinished() async throws {
        let folder = try TemporaryFolder()
        let table = "uuid,major,minor,name.en\n,,,Whale\n7a0e5f3c-2d81-4b6a-9c47-51e8b3d2f096,1,1,\n"
        try table.write(toFile: folder.path("beacons.csv"), atomically: true, encoding: .utf8)
        #expect(try await run(["import", folder.path("beacons.csv"), "--format", "beacons"], folder).status == 0)
        let outcome = try await run(["publish"], folder)
        #expect(outcome.status == 1)
        let needed = ["Whale: uuid: this is needed", "1.1: name: this is needed"]
        for words in needed + ["on the page Publish", "with rollback"] {
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    @Test(
        "a user who may not read the folder is told whose command it is, not that there is no content",
        .enabled(if: OtherUser.isAvailable, OtherUser.condition))
    func otherUser() async throws {
        let folder = try TemporaryFolder()
        try #require(chmod(folder.path, 0o700) == 0)
        _ = try await run(["user", "add", "ana", "--role", "administrator"], folder, input: Self.password + "\n")
        let outcome = try await RunningProgram.run(
            "setpriv", OtherUser.options + [Self.program, "user", "list", "--state", folder.path])
        #expect(outcome.status == 1)
        #expect(outcome.errors.contains("Permission denied; run this as the server's user"), "\(outcome.errors)")
    }

    private func status(of path: String) throws -> stat {
        var found = stat()
        let result = stat(path, &found)
        try #require(result == 0, "\(path): \(errno)")
        return found
    }

    @Test("keygen makes a key that only its owner can read, and a missing one is told with how to make it")
    func key() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("signing.pem")
        if geteuid() == 0 { try #require(chown(folder.path, 0, 0) == 0) }
        let missing = try await run(["publish", "--signing-key", file], folder)
        #expect(missing.status == 1)
        #expect(missing.errors.contains("there is no signing key; make one with keygen \(file)"), "\(missing.errors)")
        let made = try await RunningProgram.run(Self.program, ["keygen", file])
        #expect(made.status == 0, "\(made.errors)")
        #expect(try status(of: file).st_mode & 0o7777 == 0o600)
        let text = try folder.text("signing.pem")
        let again = try await RunningProgram.run(Self.program, ["keygen", file])
        #expect(again.status == 1 && again.errors.contains("exists already"), "\(again.errors)")
        #expect(try folder.text("signing.pem") == text)
    }

    @Test(
        "a key that root makes can be read by the group of its folder, and else the way to that is told",
        .enabled(if: OtherUser.isAvailable, OtherUser.condition))
    func keyOfService() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("signing.pem")
        try #require(chown(folder.path, 0, 65534) == 0 && chmod(folder.path, 0o750) == 0)
        let made = try await RunningProgram.run(Self.program, ["keygen", file])
        #expect(made.status == 0, "\(made.errors)")
        let found = try status(of: file)
        #expect(found.st_mode & 0o7777 == 0o640 && found.st_uid == 0 && found.st_gid == 65534)
        let read = try await RunningProgram.run("setpriv", OtherUser.options + ["cat", file])
        let text = try folder.text("signing.pem")
        #expect(read.status == 0 && read.output == text, "\(read.errors)")
        try #require(chmod(file, 0o600) == 0)
        let publish = OtherUser.options + [Self.program, "publish", "--signing-key", file, "--state", folder.path]
        let refused = try await RunningProgram.run("setpriv", publish)
        #expect(refused.status == 1)
        #expect(
            refused.errors.contains("as root: chgrp beacon-content \(file) && chmod 640 \(file)"),
            "\(refused.errors)")
    }

    @Test("prints a link for the first account only while there is none")
    func firstLink() async throws {
        let folder = try TemporaryFolder()
        // It makes an administrator, whatever role somebody wants to give away.
        for role in ["viewer", "editor"] {
            let refused = try await run(["user", "link", "--role", role], folder)
            #expect(refused.status == 2 && !refused.output.contains("/link/"), "\(refused.output)")
            #expect(refused.errors.contains("leave out --role \(role)"), "\(refused.errors)")
        }
        let link = try await run(["user", "link"], folder)
        #expect(link.status == 0 && link.output.contains("/link/") && link.errors.contains("--address"))
        _ = try await run(["user", "add", "ana", "--role", "administrator"], folder, input: Self.password + "\n")
        #expect(try await run(["user", "link", "ana", "--role", "viewer"], folder).status == 2)
        let invitation = try await run(["user", "link", "--role", "viewer"], folder)
        #expect(invitation.status == 0 && invitation.output.contains("/link/"), "\(invitation.errors)")
        let server = try RunningProgram(
            Self.program, ["serve", "--state", folder.path, "--listen", "127.0.0.1:0"])
        _ = try await address(of: server)
        #expect(!server.output.contains("/link/"))
        #expect(try await server.stop().status == 0)
    }

    @Test("import names the formats that it reads, and refuses the one that can only be exported")
    func importFormats() async throws {
        let folder = try TemporaryFolder()
        let help = try await RunningProgram.run(Self.program, ["import", "--help"])
        #expect(help.status == 0 && help.output.contains("zip, beacons, texts"), "\(help.output)")
        #expect(!help.output.lowercased().contains("tourml"), "\(help.output)")
        let refused = try await run(["import", folder.path("tour.xml"), "--format", "tourml"], folder)
        #expect(refused.status == 2 && refused.errors.contains("tourml"), "\(refused.errors)")
        #expect(refused.errors.contains("'zip', 'beacons' or 'texts'"), "\(refused.errors)")
    }

    @Test("an address that no link can begin with is refused before a link or a file is made", arguments: [
        ["user", "link", "ana"], ["export", "tour.xml", "--format", "tourml"],
    ])
    func linkAddress(command: [String]) async throws {
        let folder = try TemporaryFolder()
        _ = try await run(["user", "add", "ana", "--role", "administrator"], folder, input: Self.password + "\n")
        let words = command.map { $0.hasSuffix(".xml") ? folder.path($0) : $0 }
        for address in ["foo", "ftp://museum.example", "https://", "https://müseum.example", "http://museum:99999"] {
            let refused = try await run(words + ["--address", address], folder)
            #expect(refused.status == 2 && refused.output.isEmpty, "\(address): \(refused.output)")
            #expect(refused.errors.contains("--address"), "\(refused.errors)")
        }
        #expect(!folder.names.contains("tour.xml"))
        #expect(try await run(words + ["--address", "https://museum.example/"], folder).status == 0)
    }

    @Test("a link begins with the address that was named, and that with a port of the variable")
    func linkBegin() async throws {
        let folder = try TemporaryFolder()
        let named = try await run(["user", "link", "--address", "https://museum.example:8443/"], folder)
        #expect(named.output.hasPrefix("https://museum.example:8443/link/"), "\(named.output)")
        let path = try await run(["user", "link", "--address", "https://museum.example/pages"], folder)
        #expect(path.status == 2 && path.output.isEmpty, "\(path.output)")
        let port = try await RunningProgram.run(
            Self.program, ["user", "link", "--state", folder.path],
            environment: ["BEACON_CONTENT_SERVER_LISTEN": "8099"])
        #expect(port.output.hasPrefix("http://127.0.0.1:8099/link/"), "\(port.output)")
    }

    @Test("refuses options that make no sense, and says what to write", arguments: [
        ["serve", "--listen", "nonsense"], ["serve", "--tls-key", "key.pem"], ["serve", "--proxy", "x"],
        ["serve", "--address", "ftp://x"], ["serve", "--host", "http://museum"],
        ["serve", "--upload-limit", "0"], ["serve", "--mqtt", "broker"],
        ["serve", "--mqtt-client", "a"], ["serve", "--mqtt-topic-prefix", "a/#", "--mqtt", "mqtt://h"],
        ["serve", "--mqtt-certificate-file", "c.pem", "--mqtt", "mqtts://h"], ["serve", "--mqtt-key-file", "k.pem"],
        ["serve", "--mqtt-certificate-file", "c.pem", "--mqtt-key-file", "k.pem", "--mqtt", "mqtt://h"],
        ["serve", "--mqtt-ca-file", "ca.pem", "--mqtt", "mqtt://h"], ["serve", "--mqtt-password-file", "f"],
        ["publish", "--keep", "-1"], ["publish", "--keep", "nan"],
        ["publish", "--signing-key", "key.pem", "folder"], ["publish", "--unsigned", "folder"],
        ["publish", "--note", "x", "folder"], ["publish", "--at-least", "7", "folder"],
    ])
    func usage(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let outcome = try await run(arguments, folder)
        #expect(outcome.status == 2)
        #expect(outcome.errors.contains(arguments[1]) || outcome.errors.contains("nonsense"))
    }

    @Test("refuses names with letters that browsers send otherwise, and says how they send them", arguments: [
        ["--address", "https://müseum.example"], ["--host", "müseum.example"], ["--host", "ok.example", "--host", "鯨"],
    ])
    func letters(options: [String]) async throws {
        let folder = try TemporaryFolder()
        defer { withExtendedLifetime(folder) {} }
        let outcome = try await run(["serve"] + options, folder)
        #expect(outcome.status == 2)
        #expect(
            outcome.errors.contains("as in xn--mnchen-3ya.example for münchen.example")
                && outcome.errors.contains(options.count > 2 ? "\"鯨\"" : "\"müseum.example\""), "\(outcome.errors)")
    }

    @Test("does not start with a folder to publish into that is none")
    func publishFolder() async throws {
        let folder = try TemporaryFolder()
        let file = folder.path("file")
        try "a file".write(toFile: file, atomically: true, encoding: .utf8)
        let outcome = try await run(["serve", "--listen", "127.0.0.1:0", "--publish-folder", file], folder)
        #expect(outcome.status == 1)
        #expect(
            outcome.errors == "beacon-content-server: --publish-folder: \(file): it is no folder; name a folder\n")
    }

    @Test("copies everything while it serves, and finds nothing wrong in the copy")
    func backup() async throws {
        let folder = try TemporaryFolder()
        let copy = try TemporaryFolder()
        _ = try await run(["user", "add", "ana", "--role", "administrator"], folder, input: Self.password + "\n")
        let server = try RunningProgram(
            Self.program, ["serve", "--state", folder.path, "--listen", "127.0.0.1:0"])
        _ = try await address(of: server)
        let target = copy.path("backup")
        #expect(try await run(["backup", target], folder).status == 0)
        let check = try await RunningProgram.run(Self.program, ["check", "--state", target])
        #expect(check.status == 0, "\(check.output)\(check.errors)")
        let users = try await RunningProgram.run(Self.program, ["user", "list", "--state", target])
        #expect(users.output == "ana administrator\n")
        // Again into the same folder: it holds what has come since.
        _ = try await run(["user", "add", "ben"], folder, input: Self.password + "\n")
        let again = try await run(["backup", target], folder)
        #expect(again.status == 0, "\(again.errors)")
        let both = try await RunningProgram.run(Self.program, ["user", "list", "--state", target])
        #expect(both.output.contains("ben") && both.output.contains("ana administrator"))
        #expect(try await RunningProgram.run(Self.program, ["check", "--state", target]).status == 0)
        #expect(try await server.stop().status == 0)
    }

    @Test(
        "refuses to write an export or a backup that another program is writing",
        arguments: [["export", "all.zip"], ["backup", "backup"]])
    func busyFile(arguments: [String]) async throws {
        let folder = try TemporaryFolder()
        _ = try await run(["user", "add", "ana", "--role", "administrator"], folder, input: Self.password + "\n")
        let target = folder.path(arguments[1])
        if arguments[0] == "backup" { try #require(mkdir(target, 0o700) == 0) }
        let part = arguments[0] == "backup" ? "\(target)/content.sqlite.part" : "\(target).part"
        let other = open(part, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        try #require(other >= 0 && flock(other, LOCK_EX) == 0)
        let outcome = try await run([arguments[0], target], folder)
        #expect(outcome.status == 1 && outcome.errors.contains("try again when that has ended"), "\(outcome.errors)")
        // A program that another test starts at this moment may still have the descriptor too.
        flock(other, LOCK_UN)
        close(other)
        #expect(try await run([arguments[0], target], folder).status == 0)
        #expect(access(part, F_OK) != 0)
    }

    @Test("makes no backup in the state folder itself, whatever it is called", arguments: [".", "other/..", "link"])
    func backupInto(name: String) async throws {
        let folder = try TemporaryFolder()
        _ = try await run(["user", "add", "ana", "--role", "administrator"], folder, input: Self.password + "\n")
        try #require(mkdir(folder.path("other"), 0o700) == 0 && symlink(folder.path, folder.path("link")) == 0)
        let outcome = try await run(["backup", folder.path(name)], folder)
        #expect(outcome.status == 2 && outcome.errors.contains("is the state folder itself"), "\(outcome.errors)")
        #expect(try await run(["user", "list"], folder).output == "ana administrator\n")
    }

    @Test("goes on after SIGHUP, which has nothing to do without a certificate")
    func hangup() async throws {
        let folder = try TemporaryFolder()
        let server = try RunningProgram(Self.program, ["serve", "--state", folder.path, "--listen", "127.0.0.1:0"])
        _ = try await address(of: server)
        server.signal(SIGHUP)
        try await server.waitUntil("it says so") { $0.errors.contains("nothing was read again") }
        #expect(try await server.stop().status == 0)
    }

    @Test(
        "reads its certificate again after SIGHUP, and keeps the former one if the new one is none",
        .enabled(if: Programs.installed("openssl") != nil, "openssl is not installed"))
    func certificate() async throws {
        let folder = try TemporaryFolder()
        let (certificate, key) = (folder.path("server.pem"), folder.path("server.key"))
        func make(_ name: String) async throws {
            let made = try await RunningProgram.run(
                "openssl",
                [
                    "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                    "-subj", "/CN=\(name)", "-keyout", key, "-out", certificate,
                ])
            try #require(made.status == 0, "\(made.errors)")
        }
        try await make("first")
        let server = try RunningProgram(
            Self.program,
            [
                "serve", "--state", folder.path, "--listen", "127.0.0.1:0", "--tls-certificate", certificate,
                "--tls-key",
                key,
            ])
        let place = try #require(try await address(of: server).split(separator: "/").last).description
        func shown() async throws -> String {
            try await RunningProgram.run("openssl", ["s_client", "-connect", place], input: .text("")).output
        }
        #expect(try await shown().contains("CN = first"))
        try await make("second")
        server.signal(SIGHUP)
        try await server.waitUntil("it is read") { $0.errors.contains("the certificate was read again") }
        #expect(try await shown().contains("CN = second"))
        try "no certificate\n".write(toFile: certificate, atomically: true, encoding: .utf8)
        server.signal(SIGHUP)
        try await server.waitUntil("it is refused") { $0.errors.contains("the former certificate stays in use") }
        #expect(server.errors.contains(certificate), "\(server.errors)")
        #expect(try await shown().contains("CN = second"))
        #expect(try await server.stop().status == 0)
    }

    @Test(
        "answers generated requests to its API as its OpenAPI document says",
        .enabled(if: APIPeer.absence == nil, "\(APIPeer.absence ?? "")"))
    func schemathesis() async throws {
        let folder = try TemporaryFolder()
        _ = try await run(["user", "add", "ana", "--role", "administrator"], folder, input: Self.password + "\n")
        let server = try RunningProgram(
            Self.program, ["serve", "--state", folder.path, "--listen", "127.0.0.1:0"])
        let outcome = try await APIPeer.check(
            try await address(of: server), name: "ana", password: Self.password, examples: 3)
        #expect(outcome.status == 0, "\(outcome.output.suffix(6000))")
        #expect(try await server.stop().status == 0)
    }
}
