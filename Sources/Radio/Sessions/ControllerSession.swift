import HCI
import Synchronization

/// A controller brought into a state, kept there, and left as it should be: what scanning and advertising share.
final class ControllerSession: Sendable {
    private let host: Host
    private let clock: any Clock<Duration>
    private let packetsHeard: @Sendable () -> Int

    /// - Parameter packetsHeard: how many packets came so far; while the number stands still the controller is asked
    ///   whether it lives.
    init(host: Host, clock: any Clock<Duration>, packetsHeard: @escaping @Sendable () -> Int) {
        self.host = host
        self.clock = clock
        self.packetsHeard = packetsHeard
    }

    /// Connects, runs the procedure, and stays until the source is over or the task is cancelled; then sends `stop`
    /// and closes.
    ///
    /// Throws when the controller cannot be reached, refuses, hangs, or goes away.
    func run(
        _ procedure: ControllerProcedure, to purpose: String, stop: @Sendable (CommandFamily) -> Command,
        started: @Sendable (CommandFamily) async -> Void
    ) async throws(RadioError) {
        do throws(RadioError) {
            try await host.open()
            let family = try await host.run(procedure, to: purpose)
            await started(family)
            let end = await firstEnd()
            if end == nil { await send(stop(family)) }
            await host.close()
            if case .failed(let error) = end { throw error }
        } catch {
            await host.close()
            throw error
        }
    }

    /// Sends a command even though the task is cancelled: the controller must be told.
    private func send(_ command: Command) async {
        let host = host
        await Task { _ = try? await host.execute(command) }.value
    }

    /// The first of: the transport's end, a controller that no longer answers, cancellation (nil).
    private func firstEnd() async -> Host.End? {
        await withTaskGroup(of: Host.End?.self) { group in
            group.addTask { await self.watchSilence() }
            group.addTask { await self.endOrCancellation() }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first
        }
    }

    private func endOrCancellation() async -> Host.End? {
        let (ends, continuation) = AsyncStream.makeStream(of: Host.End.self)
        let host = host
        // Not a child task: `ended` cannot be cancelled. It returns at the latest when `run` closes the host.
        Task { continuation.yield(await host.ended()) }
        for await end in ends { return end }
        return nil
    }

    /// Quiet air and a hung controller sound the same, so after two seconds of silence it is asked something harmless.
    private func watchSilence() async -> Host.End? {
        var heard = -1
        var quietSeconds = 0
        while true {
            guard (try? await clock.sleep(for: .seconds(1))) != nil else { return nil }
            let now = packetsHeard()
            quietSeconds = now == heard ? quietSeconds + 1 : 0
            heard = now
            guard quietSeconds >= 2 else { continue }
            do throws(RadioError) {
                _ = try await host.execute(.readBDADDR)
            } catch {
                return Task.isCancelled ? nil : .failed(error)
            }
        }
    }
}
