import ContentServer
import Serving
import TestSupport
import Testing

@Suite("Forms")
struct FormTests {
    @Test(
        "in the address's coding are decoded",
        arguments: [
            ("a=b", "a:b"), ("a=b+c", "a:b c"), ("a=%41", "a:A"), ("a", "a:"), ("=b", ":b"), ("a=%4", "a:%4"),
            ("a=%zz", "a:%zz"),
            ("a=1&a=2", "a:1,a:2"), ("a=%C3%A4", "a:ä"), ("a=b%0D%0Ac", "a:b\nc"), ("a=b%0D%0D%0Ac", "a:b\n\nc"),
            ("&&a=b&", "a:b"),
            ("a=%%41", "a:%A"),
        ])
    func urlencoded(text: String, expected: String) throws {
        let fields = try URLEncodedForm.fields(of: Array(text.utf8))
        #expect(fields.map { "\($0.name):\($0.value)" }.joined(separator: ",") == expected)
    }

    @Test("that are not UTF-8, or have too many fields, are refused")
    func refused() {
        #expect(throws: Refusal.self) { try URLEncodedForm.fields(of: Array("a=%FF".utf8)) }
        #expect(throws: Refusal.self) {
            try URLEncodedForm.fields(of: Array(String(repeating: "a&", count: 6000).utf8))
        }
    }

    private static let form = """
        --XX\r\nContent-Disposition: form-data; name="csrf"\r\n\r\nabc\r\n\
        --XX\r\nContent-Disposition: form-data; name="file"; filename="a \\"b\\".png"\r\nContent-Type: image/png\r\n\r\n\
        \u{89}PNG\r\n--X\r\n--X-\r\n--XX--\r\n
        """

    private func events(_ octets: [UInt8], pieces: (Int) -> Int) throws -> [MultipartParser.Event] {
        var parser = try MultipartParser(boundary: "XX")
        var events: [MultipartParser.Event] = []
        var rest = octets[...]
        while !rest.isEmpty {
            let piece = rest.prefix(max(1, pieces(rest.count)))
            events += try parser.read(piece)
            rest = rest.dropFirst(piece.count)
        }
        return events
    }

    /// Each part: its names, and its bytes in one piece.
    private func joined(_ events: [MultipartParser.Event]) -> [String] {
        var parts: [(name: String, octets: [UInt8])] = []
        for event in events {
            switch event {
            case .begin(let head): parts.append(("\(head.name)/\(head.file ?? "-")/", []))
            case .data(let octets): parts[parts.count - 1].octets += octets
            case .end: parts[parts.count - 1].octets.append(UInt8(ascii: "."))
            }
        }
        return parts.map { $0.name + String(decoding: $0.octets, as: UTF8.self) }
    }

    @Test("with files are cut into parts, however their bytes arrive")
    func multipart() throws {
        let octets = Array(Self.form.utf8)
        var generator = SeededGenerator(seed: 15)
        let whole = joined(try events(octets) { $0 })
        #expect(whole.count == 2 && whole[0] == "csrf/-/abc.")
        #expect(whole[1].hasPrefix("file/a \"b\".png/"))
        var different = 0
        for _ in 0..<500 {
            let parts = joined(try events(octets) { Int.random(in: 1...min($0, 20), using: &generator) })
            if parts != whole { different += 1 }
        }
        #expect(different == 0)
    }

    @Test("that are damaged anywhere are read or refused, and never more than they are")
    func fuzz() throws {
        var generator = SeededGenerator(seed: 2026)
        let original = Array(Self.form.utf8)
        var (read, refused) = (0, 0)
        for _ in 0..<5000 {
            var octets = original
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                let index = Int.random(in: 0..<octets.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: octets[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: octets.remove(at: index)
                default: octets.insert(contentsOf: generator.octets(3), at: index)
                }
            }
            do {
                let data = try events(octets) { $0 }.reduce(0) { sum, event in
                    if case .data(let octets) = event { sum + octets.count } else { sum }
                }
                if data <= octets.count { read += 1 }
            } catch is Refusal {
                refused += 1
            }
        }
        #expect(read + refused == 5000)
        #expect(read > 100 && refused > 100)
    }

    @Test("have a boundary of 1 to 70 characters", arguments: ["", String(repeating: "a", count: 71), "a\u{1}", "a "])
    func boundaries(boundary: String) {
        #expect(throws: Refusal.self) { try MultipartParser(boundary: boundary) }
    }

    @Test("with files are read also where a name begins with an accent")
    func accent() throws {
        let form =
            "--XX\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\u{301}a\u{301}\"\r\n\r\nx\r\n--XX--"
        #expect(joined(try events(Array(form.utf8)) { $0 }) == ["file/\u{301}a\u{301}/x."])
    }

    @Test("take a head of the greatest length, however its bytes arrive", arguments: [8_192, 8_193])
    func longestHead(_ length: Int) throws {
        let field = "Content-Disposition: form-data; name=a\r\nX: "
        let head = field + String(repeating: "y", count: length - field.utf8.count)
        let octets = Array("--XX\r\n\(head)\r\n\r\nx\r\n--XX--".utf8)
        let whole = try? joined(events(octets) { $0 })
        #expect((whole != nil) == (length == 8_192))
        let cut = try? joined(events(octets) { _ in 1 })
        #expect(cut == whole)
    }

    @Test("do not fill the memory with a head that does not end")
    func longHead() throws {
        var parser = try MultipartParser(boundary: "XX")
        _ = try parser.read(Array("--XX\r\n".utf8))
        #expect(throws: Refusal.self) {
            for _ in 0..<100 { _ = try parser.read([UInt8](repeating: 65, count: 1000)) }
        }
    }
}
