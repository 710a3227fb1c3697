import Beacon
import Curation
import CurationStore
import Foundation
import TestSupport
import Testing

/// Databases as every earlier version wrote them have to be taken over with all that is in them.
///
/// Whoever changes the schema adds a migration, and here the text of the schema before it with some content, as
/// `Schemas/N.sql` is for schema N.
@Suite(.timeLimit(.minutes(10))) struct MigrationTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "Schemas")

    private static var versions: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { $0.hasSuffix(".sql") }
            .sorted()
    }

    @Test(
        "a database of every earlier schema is taken over with its drafts, revisions and accounts", arguments: versions)
    func taken(_ name: String) async throws {
        let folder = try TemporaryFolder()
        let sql = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        // Since schema 3, what a device receives has a column of its own.
        let device = sql.contains("beacons BLOB") ? Self.splitDevice : Self.wholeDevice
        try await SQLite.run(sql + Self.content + device, in: folder.path("content.sqlite"))
        let store = try CurationStore(folder: folder.path, passwordCost: .test)
        let whale = try #require(DocumentID("whale"))
        let stored = try await store.document(whale)
        #expect(stored.version == 2 && stored.document.beacon?.name[.english] == "Blue whale")
        #expect(try await store.version(of: whale, 1).beacon?.name[.english] == "Whale")
        #expect(try await store.published(1)[whale]?.beacon?.name[.english] == "Whale")
        #expect(try await store.account("ana").role == .administrator)
        #expect(try await store.changes().count == 2)
        let known = try #require(try await store.devices().first)
        #expect(known.host == "hall" && known.report.revision == 1 && known.heard == 1)
        let heard = try await store.hearings(into: [DeviceReport.Heard]()) { $0 += $1.beacons }
        #expect(heard.map(\.id.minor) == [7] && heard.map(\.rssi) == [-61.5])
        let change = try await store.undo(2, by: Author("ana"), at: Moment(Timestamp(seconds: 1_800_000_100)))
        #expect(change.kind == .undone)
        #expect(try await store.check() == [])
    }

    @Test("the schema is the newest text of this folder: a change of it needs a migration")
    func guarded() async throws {
        let folder = try TemporaryFolder()
        let store = try CurationStore(folder: folder.path)
        store.close()
        let schema = try await SQLite.schema(of: folder.path("content.sqlite"))
        let newest = try #require(Self.versions.last)
        let expected = try String(contentsOf: Self.folder.appending(path: newest), encoding: .utf8)
        // The difference is what belongs into the folder under the next number, after a migration was added.
        #expect(schema.split(separator: "\n") == expected.split(separator: "\n"))
    }

    private static let heard =
        #"[{"uuid":"636f3f8f-6491-4bee-95f7-d8cc64a863b5","major":1,"minor":7,"rssi":-61.5}]"#

    private static let report = #"""
        "host":"hall","period_start":"2026-05-01T08:00:00Z","period_end":"2026-05-01T08:01:00Z","revision":1
        """#

    private static let wholeDevice = """
        INSERT INTO device (host, first_at, report_at, period_end, report)
            VALUES ('hall', 1, 2, 3, CAST('{\(report),"beacons":\(heard),"dwell":[]}' AS BLOB));

        """

    private static let splitDevice = """
        INSERT INTO device (host, first_at, report_at, period_end, report, heard, beacons)
            VALUES ('hall', 1, 2, 3, CAST('{\(report)}' AS BLOB), 1, CAST('\(heard)' AS BLOB));

        """

    /// A beacon that was published, edited since, and who did it.
    private static let content = """
        INSERT INTO document (number, id, kind, version, changed_at, changed_by, last_change, published_version, state,
            name, sort_name, search, rank, identity)
            VALUES (1, 'whale', 'beacon', 2, 1800000000000000, 'ana', 2, 1, 'changed', 'Blue whale', 'blue whale',
            'blue whale', 0, '636f3f8f-6491-4bee-95f7-d8cc64a863b5/1/1');
        INSERT INTO version VALUES
            (1, 1, 1800000000000000, 'ana', CAST('{"name":{"en":"Whale"}}' AS BLOB)),
            (1, 2, 1800000001000000, 'ana', CAST('{"name":{"en":"Blue whale"}}' AS BLOB));
        INSERT INTO change (number, at, by, kind, document, document_kind, name)
            VALUES (1, 1800000000000000, 'ana', 'created', 'whale', 'beacon', 'Whale'),
            (2, 1800000001000000, 'ana', 'edited', 'whale', 'beacon', 'Blue whale');
        INSERT INTO change_item VALUES (1, 'whale', NULL, 1), (2, 'whale', 1, 2);
        INSERT INTO revision (number, at, by, kind, note, documents, changed, list)
            VALUES (1, 1800000000500000, 'ana', 'publication', '', 1, 1,
            CAST('{"format":1,"revision":1,"beacons":[]}' AS BLOB));
        INSERT INTO member VALUES ('whale', 'beacon', 1, NULL, 1);
        INSERT INTO published_body (document, version, at, body)
            VALUES ('whale', 1, 1800000000000000, CAST('{"name":{"en":"Whale"}}' AS BLOB));
        INSERT INTO account (name, role, created_at) VALUES ('ana', 'administrator', 1800000000000000);

        """
}
