extension StringProtocol {
    /// Whether it has more than so many characters, as readers see them. One may consist of any number of code points,
    /// so octets count too: eight for each.
    func isLonger(than most: Int) -> Bool {
        utf8.count > most && (utf8.count > 8 * most || count > most)
    }
}
