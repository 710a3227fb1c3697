/// A name for people as far as it may be kept: at most 200 characters.
package func boundedName(_ name: String) -> String {
    boundedText(name, to: 200)
}

/// A text as far as it may be kept: at most so many characters, cut between two of them.
///
/// A character may consist of any number of code points, so octets are bounded too: eight for each.
package func boundedText(_ text: String, to most: Int) -> String {
    guard text.utf8.count > most else { return text }
    let mostOctets = 8 * most
    var bounded = ""
    var octets = 0
    // What a cut in the middle of a character makes of it is dropped by the limit of octets.
    for character in String(decoding: text.utf8.prefix(2 * mostOctets), as: UTF8.self).prefix(most) {
        octets += character.utf8.count
        guard octets <= mostOctets else { break }
        bounded.append(character)
    }
    return bounded
}
