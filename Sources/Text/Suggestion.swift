/// Suggests what a user meant by an unknown word.
package enum Suggestion {
    private static let longestWord = 40

    /// The candidate most similar to a word; nil if none is similar.
    package static func nearest(to word: String, among candidates: some Sequence<String>) -> String? {
        let word = word.lowercased()
        let letters = Array(word.unicodeScalars)
        guard (2...longestWord).contains(letters.count) else { return nil }
        let limit = max(1, min(3, letters.count / 3))
        let ranked = candidates.compactMap { candidate -> (text: String, distance: Int)? in
            let lowered = candidate.lowercased()
            let own = Array(lowered.unicodeScalars.prefix(2 * longestWord))
            // The user may have written only the beginning of it.
            let isBeginning = lowered.hasPrefix(word)
            // The distance is at least the difference in length, and takes long to find.
            guard isBeginning || abs(own.count - letters.count) <= limit else { return nil }
            let distance = distance(letters, own)
            return distance <= limit || isBeginning ? (candidate, distance) : nil
        }
        return ranked.min { $0.distance < $1.distance }?.text
    }

    /// The least number of letters to insert, delete, change, or swap with their neighbour (edit distance).
    private static func distance(_ left: [Unicode.Scalar], _ right: [Unicode.Scalar]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for (row, letter) in left.enumerated() {
            var current = [row + 1]
            for (column, other) in right.enumerated() {
                var best = min(last[column + 1] + 1, current[column] + 1, last[column] + (letter == other ? 0 : 1))
                if row > 0, column > 0, letter == right[column - 1], left[row - 1] == other {
                    best = min(best, beforeLast[column - 1] + 1)
                }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[right.count]
    }
}
