import Foundation
import Glibc
import Platform
import Text

/// Decodes pictures in `beacon-content-images`, a process without privileges. Whatever a picture does to a decoder
/// happens only there.
package struct ImageHelper: Sendable {
    package static let name = "beacon-content-images"
    private let program: String?

    /// - Parameter program: the path of the helper. Nil if it is not installed: pictures are then refused with this
    ///   reason.
    package init(program: String? = OwnProgram.path(of: ImageHelper.name)) {
        self.program = program
    }

    /// Runs one job. Blocks its thread until the job is done or its time is up.
    func run(
        _ job: ImageJob, _ input: OwnedDescriptor, _ output: OwnedDescriptor?, _ limits: MediaLimits
    ) throws(MediaError) -> PictureFacts {
        defer { withExtendedLifetime((input, output)) {} }
        guard lseek(input.number, 0, SEEK_SET) == 0 else { throw MediaError(SystemFailure(), path: "uploads") }
        var descriptors: [Int32: Int32] = [0: input.number]
        if let output { descriptors[3] = output.number }
        let line = try answer(
            ["--pixels", "\(limits.pixels)", "--memory", "\(limits.helperMemory)"] + job.arguments, descriptors,
            seconds: limits.jobSeconds)
        return try PictureFacts(answer: line, limits)
    }

    /// The protections of the server against pictures, for logs and `check`: their names, and which are missing.
    package func protections() async throws(MediaError) -> HelperProtections {
        try await onOwnThread { [self] () throws(MediaError) in
            let line = try answer(["check"], [:], seconds: 20)
            if let protections = try? JSONDecoder().decode(HelperProtections.self, from: Data(line)) {
                return protections
            }
            if let failure = try? JSONDecoder().decode(HelperFailure.self, from: Data(line)) {
                throw failure.error(MediaLimits())
            }
            throw MediaError(.helperMissing, "\(ImageHelper.name) gives no answer", remedy: Self.install)
        }
    }

    private static let install = "install beacon-content-server again: pictures are decoded in a program of their own"

    private func answer(
        _ arguments: [String], _ descriptors: [Int32: Int32], seconds: Double
    ) throws(MediaError) -> [UInt8] {
        guard let program else {
            throw MediaError(.helperMissing, "\(ImageHelper.name) is not installed", remedy: Self.install)
        }
        let null = open("/dev/null", O_RDWR | O_CLOEXEC)
        guard null >= 0 else { throw MediaError(SystemFailure(), path: "/dev/null") }
        defer { close(null) }
        var process = ChildProcess(
            command: [program] + arguments, variables: Self.variables,
            descriptors: [0: null, 2: null].merging(descriptors) { _, named in named }, timeout: .seconds(seconds))
        process.grace = .zero
        var printed: [UInt8] = []
        let ending: ChildProcess.Ending
        do throws(ChildProcess.Failure) {
            ending = try process.run { if printed.count < 1 << 16 { printed += $0 } }
        } catch {
            throw MediaError(
                .helperMissing, "\(program) \(error)", arguments: [error.description], remedy: Self.install)
        }
        switch ending {
        case .exited(0): return printed
        case .timedOut, .signalled(SIGXCPU), .signalled(SIGKILL):
            throw MediaError(
                .tooSlow, "decoding the picture takes too long or too much memory",
                remedy: "save it again with fewer pixels or frames, and upload that file")
        // The kernel's loader did not find it, or it is not a program.
        case .exited(126), .exited(127):
            throw MediaError(.helperMissing, "\(program) cannot be run", remedy: Self.install)
        case .exited, .signalled: throw MediaError(damaged: "decoding it has failed")
        }
    }

    /// Only the variables that the program needs. The server's environment may contain secrets.
    private static let variables = [
        "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "VIPS_CONCURRENCY": "1", "MALLOC_ARENA_MAX": "1",
        // It cannot create temporary files. Pixels stay in memory, which has a limit.
        "VIPS_DISC_THRESHOLD": "64g",
    ]
}
