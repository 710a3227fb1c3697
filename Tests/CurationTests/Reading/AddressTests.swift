import Curation
import TestSupport
import Testing

@Suite("Addresses of actions")
struct AddressTests {
    @Test(
        "a value is read by the kind of its action, and written in one form",
        arguments: [
            (ActionItem.Kind.openURL, " https://example.org/a?b=c#d ", "https://example.org/a?b=c#d"),
            (.openURL, "www.example.org/visit", "https://www.example.org/visit"),
            (.openURL, "HTTPS://example.org", "https://example.org"),
            (.openURL, "https://exa\u{200B}mple.org/", "https://example.org/"),
            (.openURL, "https://münchen.example:8443/ä", "https://münchen.example:8443/ä"),
            (.openURL, "https://[2001:db8::1]:443/", "https://[2001:db8::1]:443/"),
            (.openURL, "http://example.org/", "http://example.org/"),
            (.call, "+43 (0)1 234-567", "+431234567"),
            (.call, "tel:+43\u{2060}1234", "+431234"),
            (.call, "01/234 56-78", "012345678"),
            (.call, "112", "112"),
            (.email, "mailto:info@example.org", "info@example.org"),
            (.email, " first.last+tag@museum.example.org ", "first.last+tag@museum.example.org"),
            (.navigate, "48,2082 16,3738", "48.2082,16.3738"),
            (.navigate, "Stephansplatz 3, Wien", "Stephansplatz 3, Wien"),
            (.navigate, "", ""),
        ])
    func reads(_ kind: ActionItem.Kind, text: String, value: String) throws {
        #expect(try ActionValue.read(text, kind: kind) == value)
        // Reading it once more changes nothing.
        #expect(try ActionValue.read(value, kind: kind) == value)
    }

    @Test(
        "a value that cannot work is refused, with what is wrong with it",
        arguments: [
            (ActionItem.Kind.openURL, "javascript:alert(1)", Problem(.linkScheme, "javascript")),
            (.openURL, "java\u{0}script:alert(1)", Problem(.linkWithoutScheme)),
            (.openURL, "file:///etc/passwd", Problem(.linkScheme, "file")),
            (.openURL, "example.org", Problem(.linkWithoutScheme)),
            (.openURL, "example.org:8080/x", Problem(.linkWithoutScheme)),
            (.openURL, "https:example.org", Problem(.notLink)),
            (.openURL, "https://", Problem(.notLink)),
            (.openURL, "https://exa mple.org/", Problem(.notLink)),
            (.openURL, "https://bank.example@evil.example/", Problem(.notLink)),
            (.openURL, "https://example.org/\"onclick=", Problem(.notLink)),
            (.openURL, "https://example.org\\@evil.example", Problem(.notLink)),
            (.openURL, "https://example.org:99999/", Problem(.notLink)),
            (.openURL, "https://[192.0.2.7]/", Problem(.notLink)),
            (.call, "12", Problem(.notPhone)), (.call, "call me", Problem(.notPhone)),
            (.call, "+43 1 2+3", Problem(.notPhone)), (.call, "1234567890123456", Problem(.notPhone)),
            (.call, "١٢٣٤", Problem(.notPhone)), (.call, "123;ext=4", Problem(.notPhone)),
            (.email, "info", Problem(.notMail)), (.email, "info@example", Problem(.notMail)),
            (.email, "a@example.org, b@example.org", Problem(.notMail)),
            (.email, "a@example.org\nBcc: b@example.org", Problem(.notMail)),
            (.email, ".a@example.org", Problem(.notMail)), (.email, "a..b@example.org", Problem(.notMail)),
            (.email, "a@-example.org", Problem(.notMail)), (.email, "a@example..org", Problem(.notMail)),
            (.email, "a@example.org?bcc=b", Problem(.notMail)),
            (.navigate, "91, 16", Problem(.latitudeOutOfRange)), (.navigate, "48.2", Problem(.notCoordinates)),
        ])
    func refuses(_ kind: ActionItem.Kind, text: String, problem: Problem) {
        #expect(throws: problem) { try ActionValue.read(text, kind: kind) }
    }

    @Test(
        "no text makes a reader of addresses fail, and what it accepts can be published",
        arguments: ActionItem.Kind.allCases)
    func fuzz(_ kind: ActionItem.Kind) {
        var generator = SeededGenerator(seed: 16)
        let starts = ["", "https://", "http://a", "tel:", "mailto:", "a@b.c", "+43", "javascript:", "[::1]"]
        let signs = Array("abc019:/?#[]@!$&'()*+,;=%-._~ <>\"\\\u{200B}\u{202E}\u{0}\n\r\té漢")
        var dangerous: [String] = []
        var accepted = 0
        for _ in 0..<20_000 {
            var text = starts.randomElement(using: &generator) ?? ""
            for _ in 0..<Int.random(in: 0...16, using: &generator) {
                text.append(signs.randomElement(using: &generator) ?? "a")
            }
            guard let value = try? ActionValue.read(text, kind: kind), !value.isEmpty else { continue }
            accepted += 1
            if (try? ActionValue.read(value, kind: kind)) != value { dangerous.append(value) }
            guard kind != .navigate else { continue }
            if value.contains(where: { "<>\" \n\r\t\\\u{202E}".contains($0) }) { dangerous.append(value) }
            if kind == .openURL, !value.hasPrefix("https://"), !value.hasPrefix("http://") { dangerous.append(value) }
        }
        #expect(dangerous.isEmpty)
        #expect(accepted > 0)
    }
}
