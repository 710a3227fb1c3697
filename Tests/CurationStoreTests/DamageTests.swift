import Beacon
import Curation
import CurationStore
import Foundation
import TestSupport
import Testing
import Text

@Suite(.timeLimit(.minutes(10))) struct DamageTests {
    @Test("a file that is no database, and one of a later version, are refused with what to do")
    func refused() async throws {
        let folder = try TemporaryFolder()
        try Data("this is no database, however long it may be".utf8.map { $0 }).write(
            to: URL(fileURLWithPath: folder.path("content.sqlite")))
        #expect { try CurationStore(folder: folder.path) } throws: { error in
            let error = error as? StoreError
            return error?.code == .damaged && error?.remedy == "restore a backup"
        }
        let later = try TemporaryFolder()
        try await SQLite.run(
            "CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY); "
                + "INSERT INTO grdb_migrations VALUES ('1'), ('999');", in: later.path("content.sqlite"))
        #expect { try CurationStore(folder: later.path) } throws: { ($0 as? StoreError)?.code == .newer }
    }

    @Test("a folder that cannot be written is an error with the file's name")
    func unusable() throws {
        #expect { try CurationStore(folder: "/proc/none") } throws: { error in
            let error = error as? StoreError
            return error?.code == .unusable && "\(error?.explanation ?? "")".contains("/proc/none/content.sqlite")
        }
    }

    @Test(
        "values that this program never wrote are told as damage, by reading and by check, and stop nothing else",
        arguments: [
            "UPDATE version SET body = X'7B'", "UPDATE document SET kind = 'whale' WHERE kind = 'beacon'",
            "UPDATE document SET state = 'x' WHERE kind = 'beacon'",
            "UPDATE document SET id = 'A/B' WHERE kind = 'beacon'",
        ])
    func values(_ sql: String) async throws {
        let bench = try Bench()
        let id = try await bench.add(bench.beacon("Whale", minor: 1)).id
        bench.store.close()
        try await SQLite.run(sql, in: bench.folder.path("content.sqlite"))
        let store = try CurationStore(folder: bench.folder.path)
        let error = await failure { try await store.documents(.beacon) }
        let direct = await failure { try await store.document(id) }
        #expect(error?.code == .damaged || direct?.code == .damaged)
        #expect(try await !store.check().isEmpty)
        #expect(try await store.site().version == 0)
    }

    @Test(
        "check finds what does not belong together",
        arguments: [
            "DELETE FROM file_body", "UPDATE file_body SET body = X'00'", "DELETE FROM published_body",
            "DELETE FROM file WHERE path LIKE 'manifests/%'", "UPDATE revision SET list = X'7B7D'",
            "UPDATE document SET published_version = 9 WHERE kind = 'beacon'", "DELETE FROM version", "DELETE FROM use",
        ])
    func check(_ sql: String) async throws {
        let bench = try Bench()
        let whale = try await bench.add(bench.beacon("Whale", minor: 1)).id
        let picture = try await bench.add(bench.media(1)).id
        try await bench.add(bench.whole("Arm", of: whale, picture: picture))
        try await bench.publish()
        #expect(try await bench.store.check() == [])
        bench.store.close()
        try await SQLite.run(sql, in: bench.folder.path("content.sqlite"))
        let store = try CurationStore(folder: bench.folder.path)
        #expect(try await !store.check().isEmpty)
    }

    @Test("pages overwritten with noise give errors, and never stop the program")
    func noise() async throws {
        let bench = try Bench()
        for number in 1...40 { try await bench.add(bench.beacon("Whale \(number)", minor: UInt16(number))) }
        try await bench.publish()
        bench.store.close()
        let path = bench.folder.path("content.sqlite")
        let whole = try readAll(path)
        try #require(whole.count > 50_000)
        var random = SeededGenerator(seed: 11)
        var found = 0
        for _ in 0..<25 {
            var bytes = whole
            for _ in 0..<3 {
                let start = Int.random(in: 4096..<bytes.count - 512, using: &random)
                bytes.replaceSubrange(start..<start + 512, with: random.octets(512))
            }
            try Data(bytes).write(to: URL(fileURLWithPath: path))
            do {
                let store = try CurationStore(folder: bench.folder.path)
                defer { store.close() }
                let findings = try await store.check()
                _ = try await store.documents(.beacon, DocumentQuery(limit: 100))
                if !findings.isEmpty { found += 1 }
            } catch {
                found += 1
            }
        }
        #expect(found > 20)
    }

    @Test("a backup made while others write is one whole state, is never overwritten, and can be opened")
    func backup() async throws {
        let bench = try Bench()
        for number in 1...30 { try await bench.add(bench.beacon("Whale \(number)", minor: UInt16(number))) }
        try await bench.publish()
        let copy = try TemporaryFolder()
        async let writing: Void = {
            for number in 31...60 { try await bench.add(bench.beacon("Whale \(number)", minor: UInt16(number))) }
        }()
        try await bench.store.backup(to: copy.path("content.sqlite"))
        try await writing
        #expect(await failure { try await bench.store.backup(to: copy.path("content.sqlite")) }?.code == .taken)
        #expect(copy.names == ["content.sqlite"])
        let store = try CurationStore(folder: copy.path)
        #expect(try await store.check() == [])
        #expect(try await (30...60).contains(store.documents(.beacon).total))
        #expect(try await store.currentRevision() == bench.store.currentRevision())
        #expect(await failure { try await bench.store.backup(to: "/proc/none/x") }?.code == .unusable)
    }

    @Test("a backup is not written over what another program writes, nor through a link, nor over what was left")
    func backupLeftovers() async throws {
        let bench = try Bench()
        try await bench.add(bench.beacon("Whale", minor: 1))
        let copy = try TemporaryFolder()
        let path = copy.path("content.sqlite")
        // What an ended program has left, one file as a link that somebody has planted.
        try Data("precious".utf8).write(to: URL(fileURLWithPath: copy.path("other")))
        try #require(symlink(copy.path("other"), path + ".copy") == 0)
        for name in ["content.sqlite.part", "content.sqlite.copy-journal"] {
            try Data("left".utf8).write(to: URL(fileURLWithPath: copy.path(name)))
        }
        let other = open(path + ".part", O_WRONLY | O_CLOEXEC)
        try #require(other >= 0 && flock(other, LOCK_EX) == 0)
        #expect(await failure { try await bench.store.backup(to: path) }?.code == .busy)
        #expect(try copy.text("content.sqlite.part") == "left")
        // Closing alone is not enough: a program that another test starts just then has the lock, too, until it runs.
        flock(other, LOCK_UN)
        close(other)
        try await bench.store.backup(to: path)
        #expect(copy.names == ["content.sqlite", "other"])
        #expect(try copy.text("other") == "precious")
        let store = try CurationStore(folder: copy.path)
        #expect(try await store.documents(.beacon).total == 1)
    }
}
