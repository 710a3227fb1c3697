import Text
import Testing

@Test("nothing of a text is markup", arguments: [
    ("plain 鯨", "plain 鯨"), ("<b>&amp;\"'", "&lt;b&gt;&amp;amp;&quot;&#39;"), ("", ""), ("a\u{301}", "a\u{301}"),
])
func markup(text: String, escaped: String) {
    #expect(escapedMarkup(text.unicodeScalars) == escaped)
}
