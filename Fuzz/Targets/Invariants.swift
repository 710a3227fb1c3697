import Text

/// What a target found: an input for which something does not hold that must always hold.
package struct BrokenInvariant: Error, CustomStringConvertible {
    package let description: String
}

/// Throws if the condition does not hold.
func require(_ condition: Bool, _ what: @autoclosure () -> String) throws(BrokenInvariant) {
    if !condition { throw BrokenInvariant(description: what()) }
}

/// A text that people see is short, and holds nothing that moves or hides other text.
func requireShown(_ text: String, atMost limit: Int = 1000) throws(BrokenInvariant) {
    try require(!text.isEmpty, "an empty text")
    try require(text.utf8.count <= limit, "a text of \(text.utf8.count) bytes: \(text.prefix(200))…")
    try require(printableLines(text) == text, "a text that is not printable: \(text.debugDescription)")
}

/// Runs a reader. A refusal gives nil, after its text was checked; a broken invariant is passed on.
func refusing<Value>(atMost limit: Int = 1000, _ body: () throws -> Value) throws(BrokenInvariant) -> Value? {
    do {
        return try body()
    } catch let broken as BrokenInvariant {
        throw broken
    } catch {
        try requireShown("\(error)", atMost: limit)
        return nil
    }
}
