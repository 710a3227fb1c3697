/// What is in force in the helper while it decodes.
package struct HelperProtections: Hashable, Sendable, Decodable, CustomStringConvertible {
    /// Of libvips, such as `8.14.1`.
    package var libvips: String
    /// Names of protections, such as `landlock`.
    package var protections: [String]
    /// What this kernel does not have.
    package var missing: [String]

    package var description: String {
        let lack = missing.isEmpty ? "" : "; this kernel lacks \(missing.joined(separator: ", "))"
        return "libvips \(libvips), \(protections.joined(separator: ", "))\(lack)"
    }
}
