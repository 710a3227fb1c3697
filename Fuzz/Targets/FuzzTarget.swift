/// One parser of outside input, and what must hold for whatever it is given.
///
/// Shared by the fuzzer (`tools/fuzz`) and by the unit tests, which run it over seeds, regressions and some mutations.
package struct FuzzTarget: Sendable {
    /// As it is named on the command line: lower case, words joined by `-`.
    package let name: String
    /// Well-formed inputs to start from.
    package let seeds: @Sendable () throws -> [[UInt8]]
    /// Words that the format gives a meaning to, for the fuzzer's dictionary.
    package let words: [String]
    /// Bytes. Longer inputs are not tried: what a parser does with size is tested by its own tests.
    package let longestInput: Int
    /// How many mutations the unit tests try: few where one takes long.
    package let mutationsInTests: Int
    /// Whether what stays allocated counts as a leak. Not beside a server: LeakSanitizer does not see a pointer in a
    /// Swift enum, which has other bits in it, and takes the server's own socket address for lost.
    package let detectsLeaks: Bool
    /// Reads one input. Throws `BrokenInvariant` for what must never happen; a refused input is no error.
    package let check: @Sendable ([UInt8]) throws -> Void

    package init(
        _ name: String, words: [String] = [], longestInput: Int = 4096, mutationsInTests: Int = 2000,
        detectsLeaks: Bool = true,
        seeds: @escaping @Sendable () throws -> [[UInt8]], check: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        self.name = name
        self.words = words
        self.longestInput = longestInput
        self.mutationsInTests = mutationsInTests
        self.detectsLeaks = detectsLeaks
        self.seeds = seeds
        self.check = check
    }

    /// Seeds and checks of a format that is text.
    package init(
        text name: String, words: [String] = [], longestInput: Int = 4096,
        seeds: @escaping @Sendable () throws -> [String], check: @escaping @Sendable (String) throws -> Void
    ) {
        self.init(name, words: words, longestInput: longestInput) {
            try seeds().map { Array($0.utf8) }
        } check: { bytes in
            try check(String(decoding: bytes, as: UTF8.self))
        }
    }
}

extension FuzzTarget: CustomStringConvertible {
    package var description: String { name }
}
