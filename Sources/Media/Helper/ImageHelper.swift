import Foundation
import Glibc
import Platform
import Text

/// Decodes pictures in `beacon-content-images`, a process without rights: whatever a picture does to a decoder, it
/// happens there.
package struct ImageHelper: Sendable {
    package static let name = "beacon-content-images"
    private let program: String?

    /// - Parameter program: its path; nil where it is not installed: pictures are then refused, and say so.
    package init(program: String? = OwnProgram.path(of: ImageHelper.name)) {
        self.program = program
    }

    /// Runs one job. Blocks its thread until it is done, or until its time is up.
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
        let decoder = JSONDecoder()
        if let facts = try? decoder.decode(PictureFacts.self, from: Data(line)) { return facts }
        guard let failure = try? decoder.decode(HelperFailure.self, from: Data(line)) else {
            throw MediaError(damaged: "decoding it has failed")
        }
        throw failure.error(limits)
    }

    /// What protects the server from pictures here, for logs and `check`: names of protections, and what is missing.
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
        // Not found by the kernel's loader, or no program at all.
        case .exited(126), .exited(127):
            throw MediaError(.helperMissing, "\(program) cannot be run", remedy: Self.install)
        case .exited, .signalled: throw MediaError(damaged: "decoding it has failed")
        }
    }

    /// Only what the program needs: nothing of the server's environment, which may have secrets.
    private static let variables = [
        "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", "VIPS_CONCURRENCY": "1", "MALLOC_ARENA_MAX": "1",
        // It can make no temporary files: pixels stay in memory, which has a limit.
        "VIPS_DISC_THRESHOLD": "64g",
    ]
}
