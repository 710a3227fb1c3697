/// Somebody's text in a message: one printable line of at most so many columns. The middle is left out if it is longer.
package func excerpt(_ text: some StringProtocol, _ width: Int = 100) -> String {
    shortened(printable(String(text)), width, cut: .middle)
}
