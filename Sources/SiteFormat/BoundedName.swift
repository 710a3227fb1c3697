/// A name for people, shortened to the 200 characters that may be kept.
package func boundedName(_ name: String) -> String {
    boundedText(name, to: 200)
}

/// A text shortened to at most `most` characters. A character is never divided.
///
/// A character may consist of any number of code points, so the octets are limited too: to eight times `most`.
package func boundedText(_ text: String, to most: Int) -> String {
    guard text.utf8.count > most else { return text }
    let mostOctets = 8 * most
    var bounded = ""
    var octets = 0
    // A character that this cut divides is beyond the limit of octets, so it is dropped.
    for character in String(decoding: text.utf8.prefix(2 * mostOctets), as: UTF8.self).prefix(most) {
        octets += character.utf8.count
        guard octets <= mostOctets else { break }
        bounded.append(character)
    }
    return bounded
}
