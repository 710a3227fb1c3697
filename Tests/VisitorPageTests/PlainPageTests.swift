import Foundation
import Testing
import VisitorPage

@Suite("Plain pages")
struct PlainPageTests {
    private static let hostile = [
        "<script>alert(1)</script>", "\" onload=\"alert(1)", "' onclick='alert(1)", "</main></body></html>",
        "a & b &lt;",
        "\u{202E}reversed\u{2066}", "line\u{0}\u{1B}[31m",
    ]

    @Test("write foreign names as text", arguments: hostile)
    func names(name: String) {
        let page = PlainPage.list([.init(name: name, distance: 1.2, isNearest: true)], more: 0, isBlind: false)
        let text = String(decoding: page.octets, as: UTF8.self)
        let item =
            text.components(separatedBy: "<bdi>").dropFirst().first?.components(separatedBy: "</bdi>").first ?? ""
        #expect(!item.isEmpty)
        for mark in ["<", ">", "\"", "'", "\u{202E}", "\u{2066}", "\u{0}", "\u{1B}"] { #expect(!item.contains(mark)) }
        #expect(!text.contains("<script"))
    }

    @Test("put the nearest first, cut long names, and say how many there are besides")
    func list() throws {
        let rows = [
            PlainPage.Row(name: "Loom", distance: 0.94, isNearest: false),
            .init(name: String(repeating: "x", count: 5000), distance: 14.4, isNearest: true),
            .init(name: "Globe", distance: nil, isNearest: false),
            .init(name: "Far", distance: .infinity, isNearest: false),
        ]
        let text = String(decoding: PlainPage.list(rows, more: 188, isBlind: true).octets, as: UTF8.self)
        let loom = try #require(text.range(of: "Loom"))
        let long = try #require(text.range(of: String(repeating: "x", count: 200) + "…</bdi>"))
        #expect(long.lowerBound < loom.lowerBound)
        #expect(text.contains("0.9 m") && text.contains("14 m"))
        #expect(text.contains("<p>and 188 more</p>"))
        #expect(text.contains("cannot hear"))
        #expect(text.utf8.count < 6000)
    }

    @Test(
        "run from right to left where the nearest's name does",
        arguments: [("محرك البخار", "rtl"), ("12 · Engine", "ltr"), ("מנוע", "rtl"), ("蒸気機関", "ltr"), ("", "ltr")])
    func direction(name: String, direction: String) {
        let page = PlainPage.list([.init(name: name, distance: 1, isNearest: true)], more: 0, isBlind: false)
        #expect(String(decoding: page.octets, as: UTF8.self).contains("<html lang=\"en\" dir=\"\(direction)\">"))
    }

    @Test("say what to do without a token, and offer a field for it")
    func refusal() {
        let page = PlainPage.refusal("the token is missing", whatToDo: "send it", asksForToken: true)
        let text = String(decoding: page.octets, as: UTF8.self)
        #expect(text.contains("Scan the code") && text.contains("name=\"token\""))
        #expect(page.fields["Content-Security-Policy"]?.contains("form-action 'self'") == true)
        #expect(page.fields["Cache-Control"] == "no-store")
    }

    @Test("say where the token is on a page that is not for visitors")
    func refusalForOthers() {
        let page = PlainPage.refusal(
            "the token is missing", whatToDo: "send it", asksForToken: true, title: "Where the beacons are",
            tokenSource: "It is in a file.")
        let text = String(decoding: page.octets, as: UTF8.self)
        #expect(text.contains("It is in a file.") && text.contains("<h1>Where the beacons are</h1>"))
        #expect(!text.contains("visitors") && !text.contains("entrance"))
    }

    @Test("write what was asked for as text", arguments: hostile)
    func refused(path: String) {
        let page = PlainPage.refusal("there is nothing at /\(path)", whatToDo: "open /", asksForToken: false)
        let text = String(decoding: page.octets, as: UTF8.self)
        #expect(!text.contains("<script") && !text.contains("onload=\"") && !text.contains("onclick='"))
        #expect(page.fields["Content-Security-Policy"]?.contains("form-action 'none'") == true)
    }
}
