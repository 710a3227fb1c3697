import Foundation

/// The names of accounts, as people write them.
enum AccountName {
    /// The most scalars that are compared. No name that is stored has more, in any form of Unicode.
    private static let longest = 300

    /// A name as it is stored: in the form NFC, because systems write the same letters with different scalars.
    static func stored(_ typed: String) -> String { typed.precomposedStringWithCanonicalMapping }

    /// What all names have in common that people take for the same: without case, as in "ß" and "SS", without what
    /// nobody sees (Unicode's property Default_Ignorable_Code_Point), and with one kind of space. Several spaces count
    /// as one, and those at the ends not at all, because browsers show them like this.
    static func key(_ name: String) -> String {
        var kept = String.UnicodeScalarView()
        for scalar in name.unicodeScalars.prefix(longest) where !scalar.properties.isDefaultIgnorableCodePoint {
            let isSpace = scalar.properties.generalCategory == .spaceSeparator
            if isSpace, kept.isEmpty || kept.last == " " { continue }
            kept.append(isSpace ? " " : scalar)
        }
        if kept.last == " " { kept.removeLast() }
        return String(kept).uppercased().lowercased().precomposedStringWithCanonicalMapping
    }

    /// Which of the names is meant. Of several with one key, which earlier versions have made, only the one that is
    /// written like this: the database ignores the case of ASCII letters.
    static func index(of typed: String, in names: [String]) -> Int? {
        let wanted = key(typed)
        let alike = names.indices.filter { key(names[$0]) == wanted }
        guard alike.count > 1 else { return alike.first }
        let octets = lowered(typed)
        return alike.first { lowered(names[$0]) == octets }
    }

    /// The octets, because Swift's strings are equal in every form of Unicode.
    private static func lowered(_ name: String) -> [UInt8] {
        name.utf8.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 + 32 : $0 }
    }
}
