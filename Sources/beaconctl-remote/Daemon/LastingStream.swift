import Console
import ControlClient

/// A stream of the daemon that is requested again after a restart of the daemon.
struct LastingStream {
    /// Called when the daemon is gone (true), and when it is back.
    var goneChanged: @Sendable (Bool) -> Void = { _ in }

    /// The time between two attempts to connect.
    private static let pause = Duration.seconds(1)

    /// Calls `read` again and again, until it returns false or the task is cancelled.
    ///
    /// - Parameter read: reads the stream until it ends, and calls `received` for each piece of it. Returns false if no
    ///   more is wanted.
    /// - Throws: if the first request fails, and what `read` throws for another reason than a lost connection.
    func follow(_ read: (_ received: () -> Void) async throws -> Bool) async throws {
        var isFirst = true
        var isGone = false
        while !Task.isCancelled {
            do {
                let goesOn = try await read {
                    if isGone {
                        Program.write("the daemon is back\n")
                        goneChanged(false)
                    }
                    isGone = false
                    isFirst = false
                }
                guard goesOn else { return }
                isFirst = false
            } catch let error as ControlClientError where !isFirst && (error.code == .connectionLost || isGone) {
                // It was there before, so it may come back. While it starts, it may refuse.
            } catch is CancellationError {
                return
            }
            guard !Task.isCancelled else { return }
            if !isGone {
                Program.write("the daemon is gone; waiting for it to come back\n")
                goneChanged(true)
            }
            isGone = true
            try? await Task.sleep(for: Self.pause)
        }
    }
}
