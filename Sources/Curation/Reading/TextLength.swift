extension StringProtocol {
    /// Whether the text has more characters than `most`, as readers see them. A character may consist of any number of
    /// code points, so the octets are limited too: to eight times `most`.
    func isLonger(than most: Int) -> Bool {
        utf8.count > most && (utf8.count > 8 * most || count > most)
    }
}
