/// A word as a shell reads it, for commands that users paste.
package func shellWord(_ word: String) -> String {
    let isPlain = word.unicodeScalars.allSatisfy {
        $0.properties.isAlphabetic || $0.properties.numericType != nil || "./-_:=,@%+".unicodeScalars.contains($0)
    }
    if isPlain, !word.isEmpty { return word }
    // By scalars: an apostrophe with an accent on it ends a quotation, too.
    var quoted = "'"
    for scalar in word.unicodeScalars {
        quoted.unicodeScalars.append(contentsOf: scalar == "'" ? Array("'\\''".unicodeScalars) : [scalar])
    }
    quoted.unicodeScalars.append("'")
    return quoted
}
