import Glibc
import Listening
import Settings
import YAMLText

// Where to listen.
extension Values {
    /// The sources; the first adapter where none are named. What is wrong with one is noted, also that its file is not
    /// there.
    ///
    /// - Parameter folder: the configuration's, which relative paths in it are meant from.
    mutating func sources(folder: String) -> [SourceSpec] {
        guard let setting = settings[.sources] else { return [.auto] }
        if setting.entries.isEmpty {
            complain(.sources, "is empty; name a source, or leave sources out to listen on the first adapter")
        }
        return setting.entries.compactMap { entry in
            reading(.sources, at: entry.place) {
                var source = try SourceSpec(entry.text)
                if case .file = entry.place { source.resolve(from: folder) }
                try source.check()
                return source
            }
        }
    }
}

extension SourceSpec {
    /// Makes a relative path one from a folder on. What people call the source stays.
    fileprivate mutating func resolve(from folder: String) {
        switch kind {
        case .file(let path) where path != "-" && !path.hasPrefix("/"): kind = .file(path: folder + path)
        case .emulation(let path?) where !path.hasPrefix("/"): kind = .emulation(path: folder + path)
        default: break
        }
    }

    /// Throws where its file cannot be read, or its scenario is no good.
    fileprivate func check() throws {
        switch kind {
        case .file(let path) where path != "-":
            let isFolder = FileFacts.isFolder(path)
            if isFolder { errno = EISDIR }
            guard !isFolder, access(path, R_OK) == 0 else {
                let reason = String(cString: strerror(errno))
                throw DocumentError(file: path, issues: [.init("cannot be read: \(reason)")])
            }
        case .emulation: _ = try LiveSource(self, index: 0)
        default: break
        }
    }
}
