import Platform
import Synchronization

/// Keeps the folder of the state for this process, so that no two daemons write the same files. A folder that cannot be
/// written is reported by the part that needs it.
final class StateLock: Sendable {
    private struct Held {
        var folder: String
        /// Nil if there is no such folder.
        var number: FileNumber?
        /// Nil if its lock could not be taken.
        var lock: Int32?
    }

    /// The folders that were taken last, the newest last.
    private let held = Mutex<[Held]>([])

    /// Takes a folder. The one before it is kept, too: parts that use it may still be ending.
    ///
    /// - Returns: false if another process has it.
    func take(_ folder: String) -> Bool {
        let number = FileNumber(of: folder)
        return held.withLock { held in
            if let index = held.firstIndex(where: {
                $0.folder == folder || (number != nil && $0.number == number)
            }) {
                held.append(held.remove(at: index))
                return true
            }
            var new = Held(folder: folder, number: number)
            switch FileLock.take(folder + "/lock") {
            case .busy: return false
            case .held(let lock): new.lock = lock
            case .failed: break
            }
            held.append(new)
            if held.count > 2, let lock = held.removeFirst().lock { FileLock.release(lock) }
            return true
        }
    }
}
