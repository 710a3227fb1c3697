import Glibc
import Text

/// Decodes one picture for `beacon-content-server`, without rights: standard input has the picture, descriptor 3 takes
/// a new one, standard output gets one line of JSON.
///
///     beacon-content-images [--pixels N] [--memory BYTES] check | inspect | turn ORIENTATION
///         | crop LEFT TOP WIDTH HEIGHT | thumbnail WIDTH
@main
struct BeaconContentImages {
    static func main() {
        guard let request = Request(CommandLine.arguments.dropFirst()) else {
            let usage: StaticString = "beacon-content-images is run by beacon-content-server; see docs/media.md\n"
            _ = write(2, usage.utf8Start, usage.utf8CodeUnitCount)
            exit(64)
        }
        var answer = JSONText()
        do throws(Failure) {
            let protection = Protection(limits: request)
            let vips = try VipsLibrary(protection)
            switch request.job {
            case .check: answer.object { protection.write(&$0, libvips: vips.version) }
            case .picture(let job):
                let facts = try Picture(vips, request).run(job)
                answer.object { facts.write(&$0) }
            }
        } catch {
            answer = JSONText()
            answer.object { error.write(&$0) }
        }
        var line = answer.text + "\n"
        let isWritten = line.withUTF8 { write(1, $0.baseAddress, $0.count) == $0.count }
        // libvips has nothing to put in order: what it has goes with the process.
        _exit(isWritten ? 0 : 1)
    }
}
