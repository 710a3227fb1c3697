import Beacon
import Testing
import Text

@Suite("Dates of HTTP")
struct HTTPDateTests {
    @Test(
        "a date is an IMF-fixdate, read and written",
        arguments: [
            // The example of RFC 9110, section 5.6.7.
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"), (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (1_709_208_000, "Thu, 29 Feb 2024 12:00:00 GMT"), (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ] as [(Int64, String)])
    func both(seconds: Int64, text: String) {
        #expect(HTTPDate.text(Timestamp(seconds: Double(seconds))) == text)
        #expect(HTTPDate.seconds(text) == seconds)
    }

    @Test("a time before 1970 is written, and the part of a second is left out")
    func early() {
        #expect(HTTPDate.text(Timestamp(seconds: -1)) == "Wed, 31 Dec 1969 23:59:59 GMT")
        #expect(HTTPDate.text(Timestamp(seconds: -0.25)) == "Wed, 31 Dec 1969 23:59:59 GMT")
        #expect(HTTPDate.text(Timestamp(seconds: 0.75)) == "Thu, 01 Jan 1970 00:00:00 GMT")
    }

    @Test(
        "anything else is no date",
        arguments: [
            "", "soon", "120", "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 25:49:37 GMT", "1 2 3 4 5 6",
            "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08::49:37 GMT", "Sun, 06 Nov 1969 08:49:37 GMT",
        ])
    func refused(text: String) {
        #expect(HTTPDate.seconds(text) == nil)
    }
}
