import Curation
import TestSupport
import Testing

@Suite("Coordinates as people write them")
struct CoordinateTextTests {
    @Test(
        "coordinates are read as people write and copy them",
        arguments: [
            ("48.2082, 16.3738", 48.2082, 16.3738),
            ("48.2082,16.3738", 48.2082, 16.3738),
            ("48.2082 16.3738", 48.2082, 16.3738),
            ("48,2082 16,3738", 48.2082, 16.3738),
            ("48,2082, 16,3738", 48.2082, 16.3738),
            ("48,2082; 16,3738", 48.2082, 16.3738),
            ("48,2082,16,3738", 48.2082, 16.3738),
            ("48, 16", 48, 16),
            ("48,16", 48, 16),
            ("-33.8568, 151.2153", -33.8568, 151.2153),
            ("\u{2212}33.8568, +151.2153", -33.8568, 151.2153),
            ("48.2082° N, 16.3738° E", 48.2082, 16.3738),
            ("48.2082N16.3738E", 48.2082, 16.3738),
            ("N 48.2082 E 16.3738", 48.2082, 16.3738),
            ("16.3738 E, 48.2082 N", 48.2082, 16.3738),
            ("33.8568 S, 70.5 w", -33.8568, -70.5),
            ("48°12'30\"N 16°22'30\"E", 48.208_333_333_333_336, 16.375),
            ("48° 12′ 30″ N, 16° 22′ 30″ E", 48.208_333_333_333_336, 16.375),
            ("48° 12,5' N 16° 22,5' E", 48.208_333_333_333_336, 16.375),
            ("geo:48.2082,16.3738?z=17", 48.2082, 16.3738),
            ("\u{200E}48.2082,\u{200B} 16.3738\u{FEFF}", 48.2082, 16.3738),
            ("90, 180", 90, 180),
        ])
    func reads(_ text: String, latitude: Double, longitude: Double) throws {
        let place = try CoordinateText.read(text)
        #expect(abs(place.latitude - latitude) < 1e-7)
        #expect(abs(place.longitude - longitude) < 1e-7)
    }

    @Test(
        "what is no place on the earth is refused",
        arguments: [
            ("91, 16", Problem.Code.latitudeOutOfRange), ("-90.001, 0", .latitudeOutOfRange),
            ("48, 181", .longitudeOutOfRange), ("48.2", .notCoordinates), ("48.2, ", .notCoordinates),
            ("a, b", .notCoordinates), ("48.2 N, 16.3 N", .notCoordinates), ("-48.2 S, 16.3 E", .notCoordinates),
            ("48°61'N 16°E", .notCoordinates), ("48.5°12'N 16°E", .notCoordinates), ("1e3, 5", .notCoordinates),
            ("48.2082.1, 16", .notCoordinates), ("", .notCoordinates),
        ])
    func refuses(_ text: String, code: Problem.Code) {
        #expect(throws: Problem(code)) { try CoordinateText.read(text) }
    }

    @Test("no text makes the reader of coordinates fail, and what it reads is on the earth")
    func fuzz() {
        var generator = SeededGenerator(seed: 15)
        let signs = Array("0123456789..,,;+-°'\"NSEWnsew  \u{200B}\u{301}geo:é")
        var read = 0
        var outside = 0
        for _ in 0..<40_000 {
            let length = Int.random(in: 0...24, using: &generator)
            let text = String((0..<length).compactMap { _ in signs.randomElement(using: &generator) })
            _ = CoordinateText.looksLikeCoordinates(text)
            guard let place = try? CoordinateText.read(text) else { continue }
            read += 1
            if abs(place.latitude) > 90 || abs(place.longitude) > 180 { outside += 1 }
            // What is written back is read again as the same place.
            if (try? CoordinateText.read(CoordinateText.text(place))) != place { outside += 1 }
        }
        #expect(read > 100)
        #expect(outside == 0)
    }
}
