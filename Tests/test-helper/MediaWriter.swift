import Curation
import Glibc
import Media
import SiteFormat

/// Uploads one file of captions after the other into a media library, and says the hash of each that is stored.
struct MediaWriter {
    var folder: String
    /// Makes the files of each run others.
    var run: String

    /// Goes on until it is killed, or cannot store three files.
    ///
    /// - Parameter limit: no file may have more bytes, as on a disk that is full.
    func write(limit: UInt?) async throws {
        if let limit {
            signal(SIGXFSZ, SIG_IGN)
            var most = rlimit(rlim_cur: limit, rlim_max: limit)
            setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &most)
        }
        let library = try MediaLibrary(folder: folder, helper: ImageHelper(program: nil))
        say("ready")
        var failures = 0
        for number in 0..<100_000 where failures < 3 {
            let note = String(repeating: "a note that is only there to need time\n", count: 5000)
            let text = "WEBVTT\n\nNOTE\n\(note)\n00:01.000 --> 00:02.000\n\(run) \(number)\n"
            do throws(MediaError) {
                let document = try await library.add(Array(text.utf8), name: "captions.vtt")
                say("stored \(document.hash)")
            } catch {
                failures += 1
                say("failed \(error.code.rawValue) \(error)")
            }
        }
    }
}
