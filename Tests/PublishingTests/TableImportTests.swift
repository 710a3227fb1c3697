import Curation
import Publishing
import TestSupport
import Testing

@Suite struct TableImportTests {
    private func read(_ lines: [String]) throws -> CSVTable {
        try CSVTable(Array(lines.joined(separator: "\n").utf8), source: "table.csv")
    }

    @Test("an exported table of beacons changes nothing", arguments: 0..<5 as Range<UInt64>)
    func beaconsUnchanged(seed: UInt64) throws {
        let hall = Hall(seed: seed, beacons: 6, languages: ["en", "de", "cs"])
        let table = BeaconTable.table(hall.documents, languages: hall.languages)
        let again = try CSVTable(Array(table.csv.utf8), source: "table.csv")
        let plan = BeaconTable.plan(again, documents: hall.documents.mapValues(\.tidied))
        #expect(plan.mistakes.isEmpty, "\(plan.mistakes)")
        #expect(plan.changes.isEmpty)
        #expect(plan.unchanged == 6)
    }

    @Test("beacons are found by id or identity, others are new, and nothing is deleted")
    func beacons() throws {
        let hall = Hall(seed: 1, beacons: 2)
        let uuid = "636f3f8f-6491-4bee-95f7-d8cc64a863b5"
        let plan = BeaconTable.plan(
            try read([
                "uuid,major,minor,name.en,latitude,longitude",
                "\(uuid),1,0,Renamed,\"43,85\",18.41",
                "\(uuid),1,77,New,,",
            ]), documents: hall.documents)
        #expect(plan.mistakes.isEmpty, "\(plan.mistakes)")
        #expect(plan.changes.map(\.line) == [2, 3])
        #expect(plan.changes.map { $0.before == nil } == [false, true])
        #expect(plan.changes[0].after.beacon?.coordinates == Coordinates(latitude: 43.85, longitude: 18.41))
        #expect(plan.changes[1].after.beacon?.name[.english] == "New")
    }

    @Test("mistakes have their line and column")
    func mistakes() throws {
        let hall = Hall(seed: 2, beacons: 2)
        let uuid = "636f3f8f-6491-4bee-95f7-d8cc64a863b5"
        let plan = BeaconTable.plan(
            try read([
                "id,uuid,major,minor,latitude,longitude,colour",
                ",x,1,5,,,red", ",\(uuid),65536,5,,,", ",\(uuid),1,5,43,,", "nobody,,,,,,", ",\(uuid),1,6,,,",
                ",\(uuid),1,6,,,", ",\(uuid),1,7,95,10,",
            ]), documents: hall.documents)
        let found = Set(plan.mistakes.map { "\($0.line) \($0.column)" })
        let expected: Set = ["1 colour", "2 uuid", "3 major", "4 latitude", "5 id"]
        #expect(found.isSuperset(of: expected), "\(plan.mistakes)")
        #expect(plan.mistakes.first { $0.column == "colour" }?.text.contains("minor, name.") == true)
        #expect(plan.mistakes.contains { $0.line == 8 }, "a latitude of 95 degrees")
        #expect(plan.mistakes.contains { $0.line == 7 }, "the same identity twice")
    }

    @Test("beacons can exchange their identities in a table, and take none that another one keeps")
    func exchanged() throws {
        let hall = Hall(seed: 4, beacons: 3)
        let ids = hall.documents.filter { $0.value.beacon != nil }.sorted {
            ($0.value.beacon?.minor ?? 0) < ($1.value.beacon?.minor ?? 0)
        }.map(\.key)
        let plan = BeaconTable.plan(
            try read(["id,minor", "\(ids[0]),1", "\(ids[1]),0"]), documents: hall.documents)
        #expect(plan.mistakes.isEmpty, "\(plan.mistakes)")
        #expect(plan.documents[ids[0]]?.beacon?.minor == 1 && plan.documents[ids[1]]?.beacon?.minor == 0)
        // In a circle.
        let circle = BeaconTable.plan(
            try read(["id,minor", "\(ids[0]),1", "\(ids[1]),2", "\(ids[2]),0"]), documents: hall.documents)
        #expect(circle.mistakes.isEmpty && circle.changes.count == 3, "\(circle.mistakes)")
        // The third is not in the table, or is, and stays.
        for lines in [["\(ids[0]),1", "\(ids[1]),2"], ["\(ids[0]),1", "\(ids[2]),2", "\(ids[1]),2"]] {
            let taken = BeaconTable.plan(try read(["id,minor"] + lines), documents: hall.documents)
            #expect(taken.mistakes.map(\.line) == [lines.count + 1], "\(taken.mistakes)")
            #expect(taken.mistakes.map(\.problem.code) == [.identityElsewhere])
        }
    }

    @Test(
        "an exported table of texts changes nothing, and a translation in it reaches its field",
        arguments: 0..<5 as Range<UInt64>)
    func texts(seed: UInt64) throws {
        var hall = Hall(seed: seed, beacons: 2, images: 3, languages: ["en", "de"])
        hall.documents = hall.documents.mapValues(\.tidied)
        let table = TranslationTable.table(hall.documents, languages: hall.languages)
        var again = try CSVTable(Array(table.csv.utf8), source: "texts.csv")
        #expect(again.rows.count > 10)
        #expect(TranslationTable.plan(again, documents: hall.documents).changes.isEmpty)
        let column = try #require(again.columns.firstIndex(of: "de"))
        for index in again.rows.indices { again.rows[index].fields[column] = "Text \(index)" }
        let plan = TranslationTable.plan(again, documents: hall.documents)
        #expect(plan.mistakes.isEmpty, "\(plan.mistakes)")
        let changed = hall.documents.merging(plan.documents) { $1 }
        let result = TranslationTable.table(changed, languages: hall.languages)
        #expect(result.rows.map { $0.fields[column] } == again.rows.map { $0.fields[column] })
        #expect(result.rows.map { $0.fields[column - 1] } == again.rows.map { $0.fields[column - 1] })
    }

    @Test("unknown documents, fields and languages are mistakes with their line")
    func textMistakes() throws {
        let hall = Hall(seed: 3, beacons: 1)
        let id = try #require(hall.documents.first { $0.value.beacon != nil }?.key)
        let plan = TranslationTable.plan(
            try read(["id,field,de", "nobody,name,x", "\(id),colour,x"]), documents: hall.documents)
        #expect(plan.mistakes.map(\.line) == [2, 3])
        let other = TranslationTable.plan(try read(["id,field,not a tag!"]), documents: hall.documents)
        #expect(other.mistakes.map(\.line) == [1])
    }
}
