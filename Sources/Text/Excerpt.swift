/// Text from outside for a message: one printable line of at most so many columns. If it is longer, its middle is left
/// out.
package func excerpt(_ text: some StringProtocol, _ width: Int = 100) -> String {
    shortened(printable(String(text)), width, cut: .middle)
}
