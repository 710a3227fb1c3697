import Curation

/// A title from the name of a file, as people would write it: `blue_whale-2024 (1).JPG` is "Blue whale".
package enum FileTitle {
    /// - Returns: empty if the name is one that a camera gave.
    package static func suggested(by file: String) -> String {
        var stem = file[...]
        if let dot = stem.lastIndex(of: "."), stem.distance(from: dot, to: stem.endIndex) <= 6 { stem = stem[..<dot] }
        let words = stem.split { "_-+()[]{}".contains($0) || $0.isWhitespace }
            .filter { !$0.allSatisfy(\.isNumber) && !isCamera($0) }
        let text = words.joined(separator: " ")
        guard text.contains(where: \.isLetter) else { return "" }
        return String((text.prefix(1).uppercased() + text.dropFirst()).prefix(200))
    }

    /// `IMG`, `DSC01234`, `P1010007`, `IMG20240501`.
    private static func isCamera(_ word: Substring) -> Bool {
        let letters = word.prefix { $0.isLetter }.uppercased()
        guard
            ["IMG", "DSC", "DSCN", "DSCF", "PXL", "P", "MVIMG", "SAM", "PICT", "SCAN", "WA", "SCREENSHOT"].contains(
                letters)
        else { return false }
        return word.dropFirst(letters.count).allSatisfy(\.isNumber)
    }
}
