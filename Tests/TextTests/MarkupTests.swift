import Text
import Testing

@Test("nothing of a text is markup", arguments: [
    ("plain 鯨", "plain 鯨"), ("<b>&amp;\"'", "&lt;b&gt;&amp;amp;&quot;&#39;"), ("", ""), ("a\u{301}", "a\u{301}"),
])
func markup(text: String, escaped: String) {
    #expect(escapedMarkup(text.unicodeScalars) == escaped)
}

@Test("XML has no control characters but tab and line ends, and not U+FFFE and U+FFFF", arguments: [
    ("\u{0}", false), ("\u{8}", false), ("\t", true), ("\n", true), ("\u{B}", false), ("\r", true), ("\u{1F}", false),
    (" ", true), ("\u{7F}", true), ("\u{D7FF}", true), ("\u{E000}", true), ("\u{FFFD}", true), ("\u{FFFE}", false),
    ("\u{FFFF}", false), ("\u{10000}", true), ("\u{10FFFF}", true),
] as [(Unicode.Scalar, Bool)])
func xmlCharacters(scalar: Unicode.Scalar, isOne: Bool) {
    #expect(scalar.isXMLCharacter == isOne)
}
