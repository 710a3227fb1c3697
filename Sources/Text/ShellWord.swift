/// A word as a shell reads it, for commands that users paste.
package func shellWord(_ word: String) -> String {
    word.allSatisfy { $0.isLetter || $0.isNumber || "./-_:=,@%+".contains($0) } && !word.isEmpty
        ? word : "'" + word.replacing("'", with: "'\\''") + "'"
}
