import CCuratorPages

/// The files of `Resources/`, by name. Their names are unique over all folders.
///
/// `CCuratorPages` lists them; a test compares the lists with the folders.
package enum EmbeddedResources {
    package static let templates = files(curator_template)
    package static let languages = files(curator_language)
    /// Scripts, styles and pictures.
    package static let assets = files(curator_asset)

    private static func files(_ file: (Int) -> UnsafePointer<embedded_file>?) -> [String: [UInt8]] {
        var files: [String: [UInt8]] = [:]
        var index = 0
        while let file = file(index)?.pointee {
            files[String(cString: file.name)] = Array(UnsafeBufferPointer(start: file.octets, count: file.count))
            index += 1
        }
        return files
    }
}
