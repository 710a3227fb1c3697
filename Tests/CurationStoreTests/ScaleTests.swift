import Beacon
import Curation
import CurationStore
import TestSupport
import Testing

/// A large museum: 1,000 beacons, 5,000 images, each with a picture of its own.
@Suite("A store with much in it", .serialized, .timeLimit(.minutes(10)))
struct ScaleTests {
    @Test(
        "lists, searches and a publication after one change stay quick with a thousand beacons and five thousand images"
    )
    func scale() async throws {
        let bench = try Bench()
        let store = bench.store
        var documents: [DocumentID: Document] = [:]
        var beacons: [DocumentID] = []
        for number in 0..<1000 {
            let id = try #require(DocumentID("beacon-\(number)"))
            beacons.append(id)
            documents[id] = bench.beacon("Beacon number \(number)", minor: UInt16(number))
        }
        for number in 0..<5000 {
            let picture = try #require(DocumentID("media-\(number)"))
            documents[picture] = bench.media(number)
            documents[try #require(DocumentID("image-\(number)"))] = bench.whole(
                "Exhibit \(number)", of: beacons[number / 5], picture: picture)
        }
        var times: [(String, Double)] = []
        // What is quadratic takes longer than to read and write everything, however busy the machine is.
        var whole = Duration.zero
        let quick: Set = ["pending", "list", "search", "images", "uses", "image counts", "changes"]
        func measure<Value>(_ what: String, _ body: () async throws -> Value) async rethrows -> Value {
            var start = ContinuousClock.now
            var value = try await body()
            var soonest = ContinuousClock.now - start
            // The machine may do something else meanwhile: of what only reads, the soonest of some attempts counts.
            for _ in 0..<(quick.contains(what) ? 20 : 0) where soonest >= whole {
                start = .now
                value = try await body()
                soonest = min(soonest, ContinuousClock.now - start)
            }
            times.append((what, soonest / .seconds(1)))
            if what == "publish first" { whole = soonest }
            return value
        }
        let all = documents
        try await measure("save all") { try await store.save(all: all, by: bench.ana, at: bench.start) }
        _ = try await measure("publish first") { try await bench.publish(at: 1) }
        try await bench.retitle(beacons[500], "Changed", at: 2)
        let second = try await measure("publish second") { try await bench.publish(at: 3) }
        #expect(second.changed == 1)
        try await bench.retitle(beacons[501], "Changed too", at: 4)
        let pending = try await measure("pending") { try await store.pending() }
        #expect(pending.count == 1)
        let page = try await measure("list") { try await store.documents(.media, DocumentQuery(offset: 4000)) }
        #expect(page.total == 5000 && page.documents.count == 50)
        let found = try await measure("search") {
            try await store.documents(.image, DocumentQuery(text: "exhibit 4999"))
        }
        #expect(found.total == 1)
        let images = try await measure("images") { try await store.images(of: beacons[7]) }
        #expect(images.count == 5)
        let picture = try #require(DocumentID("media-4321"))
        let uses = try await measure("uses") { try await store.uses(of: picture) }
        #expect(uses.count == 1)
        #expect(try await measure("image counts") { try await store.imageCounts() }.count == 1000)
        #expect(try await measure("changes") { try await store.changes() }.count == 50)
        _ = try await measure("built") { try await store.built(2) }
        #expect(try await measure("check") { try await store.check() } == [])
        for (what, seconds) in times { print("seconds: \(what) \(seconds)") }
        for (what, seconds) in times where quick.contains(what) { #expect(seconds < whole / .seconds(1), "\(what)") }
    }
}
