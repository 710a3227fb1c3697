import Glibc
package import Platform
import ServiceLifecycle

/// Reports that the configuration file was written or replaced, shortly after its last change. inotify(7).
package struct ConfigurationWatch: Service {
    let file: String
    /// The state of the file that is in use; nil if there was none.
    let seen: FileIdentity?
    /// Called on each change.
    let changed: @Sendable () -> Void

    package init(file: String, seen: FileIdentity?, changed: @escaping @Sendable () -> Void) {
        self.file = file
        self.seen = seen
        self.changed = changed
    }

    /// Editors write in several steps, so the file must stay unchanged for this long.
    private static let quiet = Duration.milliseconds(300)

    package func run() async throws {
        let (folder, name) = (PathText.folder(of: file), PathText.fileName(of: file))
        // If nothing can be watched, SIGHUP still works.
        let watch = DescriptorWatch(Self.descriptor(watching: folder), label: "configuration") {
            Self.hasNews($0, of: name)
        }
        let changes = watch.changes
        // The file may have changed after it was read and before the watch began.
        if FileIdentity(of: file) != seen { changed() }
        await cancelWhenGracefulShutdown {
            var pending: Task<Void, Never>?
            for await _ in changes {
                pending?.cancel()
                pending = Task {
                    guard (try? await Task.sleep(for: Self.quiet)) != nil else { return }
                    changed()
                }
            }
            pending?.cancel()
        }
        withExtendedLifetime(watch) {}
    }

    /// Watches the folder, because a file that is replaced is another file. Returns -1 if that is not possible.
    private static func descriptor(watching folder: String) -> Int32 {
        let descriptor = inotify_init1(Int32(IN_NONBLOCK) | Int32(IN_CLOEXEC))
        let mask = UInt32(IN_CLOSE_WRITE) | UInt32(IN_MOVED_TO) | UInt32(IN_DELETE)
        guard descriptor >= 0, inotify_add_watch(descriptor, folder, mask) < 0 else { return descriptor }
        close(descriptor)
        return -1
    }

    /// Reads the waiting events. Returns whether one of them is about the file.
    private static func hasNews(_ descriptor: Int32, of name: String) -> Bool {
        var buffer = [UInt8](repeating: 0, count: 16384)
        var found = false
        while case let count = read(descriptor, &buffer, buffer.count), count > 0 {
            if FolderEvents.concern(name, buffer.span.bytes.extracting(0..<count)) { found = true }
        }
        return found
    }
}
