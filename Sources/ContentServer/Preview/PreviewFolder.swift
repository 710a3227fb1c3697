import Curation
import Glibc
import Platform
import Serving
import Settings
import SiteFormat
import Text

/// The folder of a preview: a content store that is filled already, so that the daemon needs no site, and what else the
/// daemon is started with. Its methods block their thread.
struct PreviewFolder: Sendable {
    let path: String

    var configuration: String { "\(path)/beacond.yaml" }
    /// Where the daemon is asked.
    var socket: String { "\(path)/control" }
    private var content: String { "\(path)/state/content" }

    /// - Throws: `Refusal` if the path is too long for a socket.
    init(_ path: String) throws(Refusal) {
        self.path = path
        guard socket.utf8.count <= ControlSocket.longestPath else {
            throw Refusal(
                503, "the path of the state folder is too long for a preview",
                whatToDo: "start the server with a state folder whose path is shorter")
        }
    }

    /// Writes what the daemon is to show, before it is started.
    ///
    /// - Parameter asset: the path of a file of the media library.
    func fill(_ built: BuiltRevision, asset: (AssetHash) -> String) throws(Refusal) {
        do throws(SystemFailure) {
            for hash in built.assets.keys {
                let target = "\(content)/assets/\(hash.description.prefix(2))/\(hash)"
                Self.makeFolders(of: target)
                // The same file under a second name, or if that is another file system, a link to it.
                if link(asset(hash), target) != 0, errno != EEXIST, symlink(asset(hash), target) != 0,
                    errno != EEXIST
                {
                    throw SystemFailure()
                }
            }
            for (path, file) in built.files where !path.hasPrefix("manifests/") {
                try write(file.bytes, to: "\(content)/\(path)")
            }
            try write(built.list, to: "\(content)/site.json")
        } catch {
            throw Self.refusal(error)
        }
    }

    /// Writes the walk and the daemon's configuration.
    func write(_ walk: PreviewWalk) throws(Refusal) {
        let quoted = { (text: String) in YAMLString.quoted(text) }
        let settings = """
            sources: [\(quoted("sim:\(path)/walk.yaml"))]
            control: {socket: \(quoted(socket))}
            directories: {state: \(quoted("\(path)/state")), cache: \(quoted("\(path)/cache"))}
            dbus: {enabled: false}
            history: {enabled: false}

            """
        do throws(SystemFailure) {
            try write(Array(walk.scenario.utf8), to: "\(path)/walk.yaml")
            try write(Array(settings.utf8), to: configuration)
        } catch {
            throw Self.refusal(error)
        }
    }

    /// Removes everything.
    func remove() {
        Self.remove(path)
    }

    /// Removes the folders of previews that an earlier run has left.
    static func removeAll(in folder: String) {
        remove(folder)
    }

    /// Nobody reads it yet, and a crash of the machine ends the preview anyway, so nothing is flushed.
    private func write(_ bytes: [UInt8], to file: String) throws(SystemFailure) {
        Self.makeFolders(of: file)
        let descriptor = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemFailure() }
        defer { close(descriptor) }
        try AtomicFile.write(bytes, to: descriptor)
    }

    /// Makes the folders above a file. What cannot be made shows when the file is written.
    private static func makeFolders(of file: String) {
        for folder in PathText.folders(above: file) { mkdir(folder, 0o700) }
    }

    private static func refusal(_ failure: SystemFailure) -> Refusal {
        Refusal(507, "the preview cannot be written: \(failure)", whatToDo: "make room on the disk of the server")
    }

    /// Links are removed, and what they lead to stays.
    private static func remove(_ path: String) {
        for name in FolderListing.names(in: path) {
            var status = stat()
            let child = "\(path)/\(name)"
            guard lstat(child, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR { remove(child) } else { unlink(child) }
        }
        rmdir(path)
    }
}
