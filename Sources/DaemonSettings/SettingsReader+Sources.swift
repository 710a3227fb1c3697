import Beacon
import Glibc
import Listening
import Platform
import Settings
import YAMLText

extension SettingsReader {
    /// The sources; the first adapter if none are named. Mistakes are noted, including a file that does not exist.
    mutating func sources() -> [SourceSpec] {
        guard isSet(\.sources) else { return [.auto] }
        if values.sources.isEmpty {
            complain(
                \.sources, "is empty", remedy: "name a source, or leave sources out to listen on the first adapter")
        }
        let folder = folder
        return each(\.sources) { text, place in
            var source = try SourceSpec(text)
            if case .file = place { source.resolve(from: folder) }
            try source.check()
            return source
        }
    }
}

extension SourceSpec {
    /// Makes a relative path absolute from a folder. The source's name for people does not change.
    fileprivate mutating func resolve(from folder: String) {
        switch kind {
        case .file(let path) where path != "-" && !PathText.isAbsolute(path): kind = .file(path: folder + path)
        case .emulation(let path?) where !PathText.isAbsolute(path): kind = .emulation(path: folder + path)
        default: break
        }
    }

    /// - Throws: if its file cannot be read, or if its scenario is not valid.
    fileprivate func check() throws {
        switch kind {
        case .file(let path) where path != "-":
            let isFolder = FileFacts.isFolder(path)
            if isFolder { errno = EISDIR }
            guard !isFolder, access(path, R_OK) == 0 else {
                let reason = String(cString: strerror(errno))
                throw DocumentError(file: path, issues: [.init("cannot be read: \(reason)")])
            }
        case .emulation: _ = try makeSource(0)
        default: break
        }
    }
}
