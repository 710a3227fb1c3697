import Glibc

/// The contents of folders.
package enum FolderListing {
    /// The names in a folder, without `.` and `..`, in the file system's order; empty if the folder cannot be read.
    package static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            // Read in place: an entry may end with its name, and a copy of the whole array would read beyond it
            // (readdir(3)).
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}
