import Captures
import TestSupport
import Testing

@Suite struct RecognitionTests {
    private func error(_ bytes: [UInt8]) throws -> CaptureError? {
        try withFile(bytes) { path in attempt { () throws(CaptureError) in try CaptureReader(path: path) }.error }
    }

    @Test("an empty file is refused")
    func anEmptyFile() throws {
        #expect(try error([])?.code == .empty)
    }

    @Test(
        "text that is no capture is refused",
        arguments: ["x", "hello\nworld\n", "{\"json\":1}\n", "time,value\n1,2\n", "> not hex\n"])
    func textThatIsNoCapture(text: String) throws {
        let found = try error(Array(text.utf8))
        #expect(found?.code == .unknownFormat)
        #expect(found?.description.contains("1001, 1002, 2001") == true)
    }

    @Test("noise is no capture")
    func noiseIsNoCapture() throws {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<50 {
            let noise = (0..<Int.random(in: 1...5000, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            #expect(try error(noise)?.code == .unknownFormat)
        }
        #expect(try error([UInt8](repeating: 0x41, count: 1_000_000))?.code == .unknownFormat)
    }

    @Test("compressed files get a hint")
    func compressedFilesGetAHint() throws {
        #expect(try error([0x1F, 0x8B, 8, 0, 0])?.detail.contains("gzip") == true)
    }

    @Test("what cannot be opened or read says why")
    func whatCannotBeOpenedOrReadSaysWhy() {
        let missing = attempt { () throws(CaptureError) in try CaptureReader(path: "/nonexistent/file") }.error
        #expect(missing?.description == "/nonexistent/file: cannot open it: No such file or directory")
        let folder = attempt { () throws(CaptureError) in try CaptureReader(path: "/tmp") }.error
        #expect(folder?.description == "/tmp: cannot read it: Is a directory")
    }

    @Test("nothing is read after the end")
    func nothingIsReadAfterTheEnd() throws {
        try withFile(Btsnoop.sample().bytes + [1]) { path in
            var reader = try CaptureReader(path: path)
            var count = 0
            for _ in 0..<3 { #expect(try reader.next { _, _ in count += 1 }) }
            #expect(throws: CaptureError.self) { try reader.next { _, _ in count += 1 } }
            #expect(try reader.next { _, _ in count += 1 } == false)
            #expect(count == 3)
            #expect(reader.recordCount == 3)
        }
    }
}
