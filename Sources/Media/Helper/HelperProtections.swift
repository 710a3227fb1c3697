/// The protections that are active in the helper while it decodes.
package struct HelperProtections: Hashable, Sendable, Decodable, CustomStringConvertible {
    /// The version of libvips, such as `8.14.1`.
    package var libvips: String
    /// The names of protections, such as `landlock`.
    package var protections: [String]
    /// The protections that this kernel does not have.
    package var missing: [String]

    package var description: String {
        let lack = missing.isEmpty ? "" : "; this kernel lacks \(missing.joined(separator: ", "))"
        return "libvips \(libvips), \(protections.joined(separator: ", "))\(lack)"
    }
}
