/// A name for people as far as it may be kept: at most 200 characters, cut between two of them.
///
/// A character may consist of any number of code points, so octets are bounded too.
package func boundedName(_ name: String) -> String {
    guard name.utf8.count > maximumCharacters else { return name }
    var bounded = ""
    var octets = 0
    // What a cut in the middle of a character makes of it is dropped by the limit of octets.
    for character in String(decoding: name.utf8.prefix(2 * maximumOctets), as: UTF8.self).prefix(maximumCharacters) {
        octets += character.utf8.count
        guard octets <= maximumOctets else { break }
        bounded.append(character)
    }
    return bounded
}

private let maximumCharacters = 200
private let maximumOctets = 1600
