import Foundation
import Publishing
import Text

extension FuzzTarget {
    /// What makes any text fit to be shown, written or cut.
    static let text = FuzzTarget(
        text: "text",
        words: ["\u{200D}", "\u{FE0F}", "\u{202E}", "\u{301}", "\u{1F468}", "\u{1F3FD}", "\u{1100}", "\r\n"]
    ) {
        ["Kitchen", "Küche 🧑‍🍳\u{202E}", "日本語テキスト", "=1+1", "a,b\"c\r\nd", "<b>&amp;'x'", "\u{301}\u{301}e\u{301}"]
    } check: { text in
        let shown = printable(text)
        try require(printable(shown) == shown, "printable text that is not printable")
        try require(
            !shown.unicodeScalars.contains { $0.value < 0x20 || $0.value == 0x7F }, "a control character is left")
        try require(shown.unicodeScalars.count <= text.unicodeScalars.count, "printable text that is longer")
        for width in [0, 1, 2, 7, 40] {
            for cut in [TextCut.beginning, .middle, .end] {
                try require(
                    displayWidth(shortened(shown, width, cut: cut)) <= width, "a text of more than \(width) columns")
            }
            try require(displayWidth(clipped(shown, to: width)) <= width, "a clipped line that is too wide")
            try require(displayWidth(pad(shown, width)) >= width, "a padded text that is too narrow")
            let lines = wrapped(shown, width)
            try require(lines.count <= shown.count + 1, "more lines than characters")
        }
        try checkJSON(text)
        try checkMarkup(text)
    }
}

/// A text in JSON is read as the same text.
private func checkJSON(_ text: String) throws {
    var json = JSONText()
    json.object { $0.value("text", text) }
    let read = try JSONDecoder().decode([String: String].self, from: Data(json.text.utf8))
    try require(read["text"].map { Array($0.utf8) } == Array(text.utf8), "JSON that is read as another text")
    try require(!json.text.utf8.contains { $0 < 0x20 }, "JSON with a control character")
}

private func checkMarkup(_ text: String) throws {
    let markup = escapedMarkup(text.unicodeScalars)
    try require(!markup.utf8.contains { "<>\"'".utf8.contains($0) }, "markup is left")
    var back: [UInt8] = []
    var rest = Array(markup.utf8)[...]
    let names = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
    while let byte = rest.first {
        let name = names.first { rest.starts(with: $0.0.utf8) }
        back += name.map { Array($0.1.utf8) } ?? [byte]
        rest = rest.dropFirst(name?.0.utf8.count ?? 1)
    }
    try require(back == Array(text.utf8), "markup that stands for another text")
}
