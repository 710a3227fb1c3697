import Curation
import Foundation
import Media
import SiteFormat
import TestSupport
import Testing
import Text

@Suite(
    "Pictures", .enabled(if: MediaBench.hasLibrary, Comment(rawValue: MediaBench.noLibrary)),
    .timeLimit(.minutes(10)))
struct PictureTests {
    static let pictures: [(String, [UInt8], Int, Int)] = [
        ("image/jpeg", Samples.jpeg, 48, 32), ("image/jpeg", Samples.progressiveJPEG, 48, 32),
        ("image/jpeg", Samples.turnedJPEG, 32, 48), ("image/png", PNGMaker(width: 20, height: 10).octets, 20, 10),
        ("image/webp", Samples.losslessWebP, 48, 32), ("image/webp", Samples.webp, 32, 48),
        ("image/gif", Samples.gif, 16, 12),
    ]

    @Test("a picture is stored with what decoding has found", arguments: pictures)
    func decoded(_ type: String, _ octets: [UInt8], _ width: Int, _ height: Int) async throws {
        let bench = try MediaBench()
        let document = try await bench.library.add(octets, name: "wrong name.mp4")
        #expect(document.mediaType == type && document.width == width && document.height == height)
        #expect(document.likeness != nil)
        let stored = [UInt8](try Data(contentsOf: URL(fileURLWithPath: bench.library.path(of: document.hash))))
        #expect(try MediaReading.cleaned(stored) == stored)
        for word in ["secret", "Exif", "Camera"] { #expect(!contains(stored, word)) }
        // The same upload gives the same file.
        #expect(try await bench.library.add(octets, name: "again").hash == document.hash)
        #expect(bench.files("media").count == 1 && bench.files("uploads") == [])
    }

    static let refused: [(String, [UInt8], MediaError.Code)] = [
        ("a JPEG without its end", Samples.jpeg.dropLast(200) + [], .damaged),
        ("a JPEG whose end was put back", Samples.jpeg.dropLast(400) + [0xFF, 0xD9], .damaged),
        ("a PNG without pixels", PNGMaker.claiming(100, 100), .damaged),
        ("60,000 × 60,000 pixels", PNGMaker.claiming(60_000, 60_000), .tooManyPixels),
        ("7,100 × 7,100 pixels", PNGMaker.claiming(7100, 7100), .tooManyPixels),
        (
            "a WebP that is noise",
            Array("RIFF".utf8) + [32, 0, 0, 0] + Array("WEBPVP8 ".utf8) + [20, 0, 0, 0]
                + [UInt8](repeating: 9, count: 20), .damaged
        ),
        ("text", Array("no picture at all, only text".utf8), .unsupported), ("one byte", [1], .unsupported),
        ("nothing", [], .empty),
    ]

    @Test("what is no whole picture is refused, and leaves nothing behind", arguments: refused)
    func refusal(_ name: String, _ octets: [UInt8], _ code: MediaError.Code) async throws {
        let bench = try MediaBench()
        let error = await bench.refusal(of: octets)
        #expect(error?.code == code && error?.place == "file.png", "\(error?.description ?? "taken")")
        #expect(bench.files("media") == [] && bench.files("uploads") == [])
    }

    @Test("a page hidden behind a picture is gone")
    func polyglot() async throws {
        let bench = try MediaBench()
        let picture = PNGMaker().octets
        let plain = try await bench.library.add(picture, name: "a.png")
        let page = Array("<html><script>alert(1)</script></html>".utf8)
        #expect(try await bench.library.add(picture + page, name: "b.html").hash == plain.hash)
    }

    @Test("a text that grows to gigabytes never gets to the decoder")
    func bomb() async throws {
        let bench = try MediaBench()
        // What zlib makes of zeros, in a chunk that says so.
        let bomb = Array("Comment\0\0".utf8) + [UInt8](repeating: 0, count: 100_000)
        let picture = PNGMaker(before: [("zTXt", bomb), ("iTXt", bomb)])
        let plain = try await bench.library.add(PNGMaker().octets, name: "a.png")
        #expect(try await bench.library.add(picture.octets, name: "b.png").hash == plain.hash)
    }

    @Test("a thumbnail is made once, is no larger than asked for, and goes with its picture")
    func thumbnail() async throws {
        let bench = try MediaBench()
        let document = try await bench.library.add(PNGMaker(width: 500, height: 250).octets, name: "a.png")
        let path = try await bench.library.thumbnail(of: document.hash, .small)
        let made = try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date
        let octets = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
        #expect(try MediaReading.mediaType(octets) == "image/webp")
        let again = try await bench.library.thumbnail(of: document.hash, .small)
        #expect(again == path)
        #expect(try FileManager.default.attributesOfItem(atPath: path)[.modificationDate] as? Date == made)
        #expect(try await bench.library.add(octets, name: "thumbnail").width == 160)
        try await bench.library.remove(document.hash)
        #expect(bench.files("thumbnails") == [])
        await #expect(throws: MediaError.self) { try await bench.library.thumbnail(of: document.hash, .small) }
    }

    @Test("many that ask for one thumbnail at the same time get the same one")
    func thumbnails() async throws {
        let bench = try MediaBench()
        let document = try await bench.library.add(PNGMaker(width: 500, height: 250).octets, name: "a.png")
        let paths = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<20 { group.addTask { try await bench.library.thumbnail(of: document.hash, .medium) } }
            return try await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(paths.count == 1 && bench.files("thumbnails").count == 1 && bench.files("uploads") == [])
    }

    @Test("captions have no thumbnail")
    func noThumbnail() async throws {
        let bench = try MediaBench()
        let document = try await bench.library.add(Array(Containers.captions.utf8), name: "a.vtt")
        let error = await #expect(throws: MediaError.self) {
            try await bench.library.thumbnail(of: document.hash, .small)
        }
        #expect(error?.code == .unsupported)
    }

    @Test("a part of a picture becomes a picture of its own", arguments: pictures)
    func crop(_ type: String, _ octets: [UInt8], _ width: Int, _ height: Int) async throws {
        let bench = try MediaBench()
        let document = try await bench.library.add(octets, name: "a")
        let area = PictureArea(left: 2, top: 3, width: width - 4, height: height - 5)
        let part = try await bench.library.crop(document.hash, to: area, name: "part")
        #expect(part.width == width - 4 && part.height == height - 5 && part.name == "part")
        #expect(part.mediaType == (type == "image/gif" ? "image/png" : type))
        #expect(bench.files("media").count == 2 && bench.files("uploads") == [])
    }

    @Test("a part of a part has the pixels of that part of the whole")
    func cropTwice() async throws {
        let bench = try MediaBench()
        let whole = try await bench.library.add(PNGMaker(width: 60, height: 40).octets, name: "a.png")
        func crop(_ hash: AssetHash, _ left: Int, _ top: Int, _ width: Int, _ height: Int) async throws -> AssetHash {
            let area = PictureArea(left: left, top: top, width: width, height: height)
            return try await bench.library.crop(hash, to: area, name: "part").hash
        }
        let part = try await crop(whole.hash, 10, 5, 40, 30)
        let inner = try await crop(part, 3, 7, 20, 10)
        #expect(try await crop(whole.hash, 13, 12, 20, 10) == inner)
        #expect(try await crop(whole.hash, 13, 13, 20, 10) != inner)
    }

    static let areas = [
        PictureArea(left: 0, top: 0, width: 0, height: 1), PictureArea(left: -1, top: 0, width: 2, height: 2),
        PictureArea(left: 40, top: 0, width: 9, height: 1), PictureArea(left: 0, top: 0, width: .max, height: .max),
        PictureArea(left: .max, top: .max, width: 1, height: 1), PictureArea(left: 0, top: .min, width: 1, height: 1),
    ]

    @Test("a part outside of the picture is refused", arguments: areas)
    func wrongArea(_ area: PictureArea) async throws {
        let bench = try MediaBench()
        let document = try await bench.library.add(Samples.jpeg, name: "a")
        let error = await #expect(throws: MediaError.self) {
            try await bench.library.crop(document.hash, to: area, name: "part")
        }
        #expect(error?.code == .wrongArea && bench.files("media").count == 1)
    }

    @Test("no change of a picture makes the decoder hang or the server end")
    func mutated() async throws {
        let bench = try MediaBench()
        var random = SeededGenerator(seed: 42)
        let seeds = [
            Samples.jpeg, Samples.progressiveJPEG, Samples.losslessWebP, Samples.webp, Samples.gif, PNGMaker().octets,
        ]
        var outcomes: [String: Int] = [:]
        for number in 0..<240 {
            let octets = mutation(of: seeds[number % seeds.count], &random)
            outcomes[await bench.refusal(of: octets)?.code.rawValue ?? "taken", default: 0] += 1
        }
        #expect(Set(outcomes.keys).isSubset(of: ["taken", "damaged", "unsupported", "too_many_pixels", "too_slow"]))
        #expect(outcomes["damaged", default: 0] > 20 && outcomes["taken", default: 0] > 20, "\(outcomes)")
        #expect(bench.files("uploads") == [])
        _ = try await bench.library.add(Samples.jpeg, name: "as before")
    }
}
