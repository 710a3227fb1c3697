import Beacon
import CLinux
import ContentServer
import Curation
import Foundation
import Glibc
import PastedHTML
import Publishing
import SiteFormat
import Text

private let hash = String(repeating: "ab", count: 32)
private let keys = [
    "\"uuid\":", "\"name\":{\"de\":", "\"beacon\":", "\"contents\":[", "\"type\":\"doc\"", "\"content\":[",
    "\"marks\":[",
    "\"heading\"", "\"bulletList\"", "\"link\"", "\"href\"", "null", "[[[[", "\\ud800",
]
private let page = """
    {"type":"doc","content":[{"type":"heading","attrs":{"level":2},"content":[{"type":"text","text":"A"}]},
    {"type":"bulletList","content":[{"type":"listItem","content":[{"type":"paragraph","content":[{"type":"text",
    "marks":[{"type":"bold"},{"type":"link","attrs":{"href":"https://example.org/"}}],"text":"b"},{"type":"hardBreak"}]}]}]},
    {"type":"blockquote","content":[{"type":"paragraph"}]},{"type":"horizontalRule"}]}
    """
private let documents: [(Document.Kind, String)] = [
    (
        .beacon,
        "{\"uuid\":\"636f3f8f-6491-4bee-95f7-d8cc64a863b5\",\"major\":1,\"minor\":2,\"name\":{\"de\":\"Halle\"},\"note\":\"x\"}"
    ),
    (
        .image,
        "{\"title\":{\"de\":\"Bild\"},\"rank\":1,\"contents\":[],\"page\":{\"title\":{\"de\":\"A\"},\"body\":{\"de\":\(page)}},\"tags\":[\"a\"]}"
    ),
    (.media, "{\"hash\":\"\(hash)\",\"bytes\":10,\"media_type\":\"image/png\",\"name\":\"a\"}"),
    (.plan, "{\"name\":{\"de\":\"Plan\"}}"),
    (.site, "{\"title\":\"Museum\",\"languages\":[\"de\",\"en\"]}"),
]

extension FuzzTarget {
    /// What programs send to the managing API and what archives hold: the first byte is the kind.
    static let document = FuzzTarget("document", words: keys, longestInput: 8192) {
        zip(UInt8(0)..., documents).map { number, document in [number] + Array(document.1.utf8) }
    } check: { bytes in
        guard let number = bytes.first else { return }
        let kind = documents[Int(number) % documents.count].0
        guard let document = try refusing({ try Document(kind, json: Array(bytes.dropFirst()), source: "body") }) else {
            return
        }
        let written = try document.json()
        try require(try Document(kind, json: written, source: "again").json() == written, "another document")
        let tidied = document.tidied
        try require(tidied.tidied == tidied, "a tidied document that is not tidy")
        for mistake in DocumentCheck(site: SiteDocument()).mistakes(in: document) {
            try requireShown(mistake.problem.english)
        }
        _ = try Markup(xml: TourML.text([kind == .site ? .site : .random(): document], base: "https://example.org"))
    }

    /// A page's text as the editor sends it.
    static let pageText = FuzzTarget("page-text", words: keys) {
        [Array(page.utf8)]
    } check: { json in
        guard let text = try? JSONDecoder().decode(PageText.self, from: Data(json)) else { return }
        try checkPage(text)
    }

    /// A page's text as a browser without scripts sends it.
    static let plainPage = FuzzTarget(
        text: "plain-page", words: ["\r\n", "\r", "\n\n", "## ", "- ", "1. ", "> ", "---", "![picture]"]
    ) {
        ["A\r\n\r\n## B\r\n\r\n- c\r\n- d\r\n\r\n1. e\r\n2. f\r\n\r\n> g\r\n> h\r\n\r\n---\r\n\r\ni\r\nj"]
    } check: { plain in
        let page = PlainPageText.read(plain, over: nil)
        try checkPage(page)
        let again = PlainPageText.read(PlainPageText.write(page), over: nil)
        try require(again == page, "\(page), read again as \(again)")
    }

    /// What an action opens, calls, writes to or shows the way to.
    static let actionValue = FuzzTarget(
        text: "action-value",
        words: ["https://", "www.", "tel:", "(0)", "+", "mailto:", "@", ".", "geo:", "°", "'", "\"", "N", "[::1]", "%"]
    ) {
        [
            "www.example.org/a?b#c", "https://[::1]:8080/", "tel:+43 (0)1 234-567", "mailto:a.b@example.org",
            "48,2082 16,3738", "48°12'29.5\"N 16°22'25.7\"E", "geo:48.2,16.3;u=10", "Stephansplatz 3",
        ]
    } check: { text in
        for kind in ActionItem.Kind.allCases {
            guard
                let value = try refusingProblem({ () throws(Problem) in try ActionValue.read(text, kind: kind) })
            else { continue }
            let again = try? ActionValue.read(value, kind: kind)
            try require(again == value, "\(value.debugDescription), read again as \(again.debugDescription)")
        }
    }

    /// The key of a site, as it is pasted or copied into a file.
    static let signingKey = FuzzTarget(
        text: "signing-key",
        words: ["key_id:", "-----BEGIN PRIVATE KEY-----", "-----END PRIVATE KEY-----", "MC4CAQAwBQYDK2VwBCIEI"]
    ) {
        ["key_id: hall\n", ""].map { name in
            "\(name)-----BEGIN PRIVATE KEY-----\nMC4CAQAwBQYDK2VwBCIEIJ1hsZ3v/VpguoRK9JLsLMREScVpezJpGXA7rAMcrn9g\n"
                + "-----END PRIVATE KEY-----\n"
        }
    } check: { text in
        guard let key = try refusing({ try SigningKey(pem: text, source: "key") }) else { return }
        let again = try SigningKey(pem: key.pem, source: "again")
        try require(again.id == key.id && again.publicPEM == key.publicPEM, "another key than was written")
    }

    static let pastedHTML = FuzzTarget(
        text: "pasted-html",
        words: [
            "<p>", "<b>", "<a href=\"https://x\">", "<ul><li>", "<table><tr><td>", "<h2>", "<script>", "<style>",
            "<!--",
            "<![CDATA[", "&nbsp;", "&#x1F;", "<svg>", "<template>", "style=\"display:none\"", "mso-list:l0 level1",
        ]
    ) {
        [
            "<h1>A</h1><p>b <b>c</b><a href='https://example.org'>d</a></p><ul><li>e<ol><li>f</li></ol></li></ul>",
            "<!--[if mso]><p class=MsoListParagraph style='mso-list:l0 level1 "
                + "lfo1'>x</p><![endif]--><blockquote>q</blockquote><hr>",
        ]
    } check: { html in
        guard let text = try refusingProblem({ () throws(Problem) in try PastedHTML.page(html) }) else { return }
        try checkPage(text)
    }

    /// Tables of beacons and of texts.
    static let csvTable = FuzzTarget(
        "csv-table",
        words: [
            "id", "uuid", "major", "minor", "name.de", "floor", "latitude", "longitude", "note", "\"\"", ";", "\t",
            "\r", "'=", "\u{FEFF}",
        ]
    ) {
        [
            "id,uuid,major,minor,name.de,floor,latitude,longitude,note\n,636f3f8f-6491-4bee-95f7-d8cc64a863b5,1,2,Halle,EG,\"48,2\",16.4,\"a \"\"b\"\"\"\n",
            "document;field;de;en\nimg-1;title;Bild;\n",
        ].map { Array($0.utf8) }
    } check: { bytes in
        guard let table = try refusing({ try CSVTable(bytes, source: "table") }) else { return }
        try require(table.rows.count <= bytes.count, "more rows than bytes")
        try require(
            table.rows.allSatisfy { $0.fields.count <= table.columns.count }, "a row of more fields than columns")
        let again = try CSVTable(Array(table.csv.utf8), source: "again")
        try require(again.columns == table.columns, "other columns than were written")
        try require(again.rows.map(\.fields) == table.rows.map(\.fields), "other fields than were written")
        for plan in [
            BeaconTable.plan(table, documents: [:]), TranslationTable.plan(table, documents: [:]),
        ] {
            try require(plan.changes.count + plan.unchanged <= table.rows.count, "more changes than rows")
            for mistake in plan.mistakes { try requireShown(mistake.text) }
        }
    }

    /// A file to import.
    static let archive = FuzzTarget(
        "archive",
        words: ["PK\u{1}\u{2}", "PK\u{3}\u{4}", "PK\u{5}\u{6}", "curation/documents.jsonl", "curation/media/"]
    ) {
        try committedSeeds("archive")
    } check: { bytes in
        let file = clinux_memory_file("archive")
        defer { close(file) }
        try require(file >= 0 && write(file, bytes, bytes.count) == bytes.count, "no file for the input")
        var limits = ZIPReader.Limits()
        limits.bytes = 1 << 20
        guard let reader = try refusing({ try ZIPReader("/proc/self/fd/\(file)", limits: limits) }) else { return }
        try require(reader.entries.count <= bytes.count / 46, "more files than the archive has room for")
        for (name, entry) in reader.entries {
            try require(
                name.utf8.first != UInt8(ascii: "/")
                    && !name.utf8.split(separator: UInt8(ascii: "/")).contains { $0.elementsEqual("..".utf8) },
                "a name that leads elsewhere")
            var count: Int64 = 0
            let isWhole: Void? = try refusing { try reader.read(entry) { count += Int64($0.count) } }
            try require(count <= entry.size && (isWhole == nil || count == entry.size), "an entry of another size")
        }
        _ = try refusing { try ArchiveContents(reader, source: "archive") }
    }
}

/// What was read of a page is written, read and shown as the same, with nothing but the elements that a page has.
private func checkPage(_ text: PageText) throws {
    let written = try JSONEncoder().encode(text)
    try require(try JSONDecoder().decode(PageText.self, from: written) == text, "another page")
    let plain = PlainPageText.write(text)
    try require(PlainPageText.read(plain, over: text) == text, "a page that its own plain text changes")

    let html = try Markup(html: text.html { PagePicture(source: "/media/\($0.media)", alt: "\($0.alt)", width: 1) })
    for element in html.elements {
        let allowed = try pageElements[element.name].orBroken("the element \(element.name)")
        try require(Set(element.attributes.keys).isSubset(of: allowed), "attributes \(element.attributes)")
        if let link = element.attributes["href"] {
            try require(["https:", "mailto:", "tel:"].contains { link.hasPrefix($0) }, "a link to \(link)")
        }
    }
    try require(
        withoutBlanks(html.text) == withoutBlanks(text.plainText),
        "other words: \(html.text.debugDescription), not \(text.plainText.debugDescription)")
}

/// What a page may consist of, with the attributes.
private let pageElements: [String: Set<String>] = [
    "body": [], "p": [], "h2": [], "h3": [], "h4": [], "ul": [], "ol": [], "li": [], "blockquote": [], "hr": [],
    "br": [],
    "strong": [], "em": [], "u": [], "sup": [], "sub": [], "a": ["href", "rel"],
    "img": ["src", "alt", "width", "height"]
]

extension Optional {
    fileprivate func orBroken(_ what: String) throws(BrokenInvariant) -> Wrapped {
        guard let self else { throw BrokenInvariant(description: what) }
        return self
    }
}

/// By scalars: a mark behind a blank belongs to it, and not if a line ends between them.
private func withoutBlanks(_ text: String) -> [Unicode.Scalar] {
    text.unicodeScalars.filter { !$0.properties.isWhitespace }
}
