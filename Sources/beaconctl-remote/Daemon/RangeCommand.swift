import ArgumentParser
import Beacon
import Console
import ControlClient
import Platform
import Ranging
import Synchronization
import Text

struct RangeCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "range",
        abstract: "Shows the daemon's ranking, live.",
        discussion: """
            With --source, another source is ranked instead. With --once and --beacon, it takes 5 seconds without any \
            of these to say that none is in range, and the exit status is 1.
            """)

    @OptionGroup var socket: SocketOption

    @OptionGroup var listing: RankingOptions

    @OptionGroup var wanted: BeaconFilterOptions

    @OptionGroup var duration: DurationOption

    @OptionGroup var result: ResultOptions<OutputFormat>

    func run() async throws {
        let client = try ControlClient.found(socket.socket, for: "that could be asked")
        let (interval, once, format) = (listing.interval, listing.once, result.format)
        let filter = wanted.filter
        let asksOnce = once && !filter.isEmpty
        // A daemon that has just started, or is blind, may receive a beacon a little later.
        let longest = RankingOptions.longestWait
        let waitEnd = ContinuousClock.now + .seconds(min(longest, duration.duration ?? longest))
        // An unknown name is refused; the error lists the known ones.
        if !filter.isEmpty { _ = try await client.get("/v1/ranging?" + filter.query.dropFirst()) }
        // The end of the wait shows a ranking, so the time limit must not come before it.
        let limit = asksOnce ? nil : duration.duration
        try await UntilStopped.run(for: limit, isFinite: once || limit != nil) {
            let newest = NewestRanking()
            let following = Task { await newest.follow(client) }
            defer { following.cancel() }
            var output = RankingOutput(format, filter: filter)
            output.begin()
            var pace = RankingPace(interval: interval)
            var daemonInterval = DaemonInterval(asked: interval)
            var notices: [String] = []
            var next: Deadline?
            // The daemon may tell nothing until then.
            let wait = Deadline(after: asksOnce ? waitEnd - ContinuousClock.now : nil) { newest.look() }
            defer { wait.cancel() }
            for await _ in newest.changes {
                let now = ContinuousClock.now
                let mayWait = asksOnce && now < waitEnd
                var told = try newest.get()
                if told == nil, asksOnce, !mayWait {
                    // It is slow, or gone: it answers, or the error says why not.
                    let document: RankingDocument = try await client.get("/v1/ranging")
                    told = (document, 0)
                }
                guard let (document, number) = told else { continue }
                output.names = document.names
                output.receivers = document.receivers
                if !once, let notice = daemonInterval.notice(document.ranking, number: number) {
                    // A table that is redrawn in place has it as its last line.
                    if output.isRedrawn { notices = [notice] } else { Program.write(notice + "\n") }
                }
                if mayWait, !output.hasWanted(in: document.ranking) { continue }
                guard pace.takes(document.ranking, number: number, at: now) else { continue }
                output.write(document.ranking, isBlind: document.isBlind, footer: notices)
                output.flush()
                if once { return try output.requireWanted(in: document.ranking) }
                // The daemon may have no other until then.
                next?.cancel()
                next = Deadline(after: .seconds(interval)) { newest.look() }
            }
            try Task.checkCancellation()
        }
    }
}

/// Which of the daemon's rankings are shown: one an interval.
private struct RankingPace {
    /// Seconds.
    let interval: Double
    private var shown: (number: Int, ranking: Ranking, at: ContinuousClock.Instant)?

    init(interval: Double) {
        self.interval = interval
    }

    /// Whether this one is shown.
    ///
    /// - Parameter number: the same ranking has the same.
    mutating func takes(_ ranking: Ranking, number: Int, at now: ContinuousClock.Instant) -> Bool {
        guard isDue(ranking, number, now) else { return false }
        shown = (number, ranking, now)
        return true
    }

    private func isDue(_ ranking: Ranking, _ number: Int, _ now: ContinuousClock.Instant) -> Bool {
        guard let shown else { return true }
        // While nothing is in range, the daemon tells it every few seconds only.
        if ranking.beacons.isEmpty, shown.ranking.beacons.isEmpty { return now - shown.at >= .seconds(interval) }
        // If the clock was set back, do not wait.
        let elapsed = ranking.time.seconds(since: shown.ranking.time)
        return number != shown.number && (elapsed < 0 || elapsed >= interval * 0.999)
    }
}

/// Finds out whether the daemon ranks less often than asked for.
private struct DaemonInterval {
    /// Seconds.
    let asked: Double
    private var last: (number: Int, time: Timestamp)?
    /// How many times between two rankings were measured, and the shortest of them in seconds.
    private var measured = 0
    private var shortest = Double.infinity

    /// So many are measured: a busy machine may rank late.
    private static let enough = 3

    init(asked: Double) {
        self.asked = asked
    }

    /// What to say, once, after enough rankings.
    ///
    /// - Parameter number: the same ranking has the same.
    mutating func notice(_ ranking: Ranking, number: Int) -> String? {
        guard measured < Self.enough, number != last?.number else { return nil }
        // While nothing is in range, the daemon ranks every few seconds only.
        guard !ranking.beacons.isEmpty else {
            last = nil
            return nil
        }
        defer { last = (number, ranking.time) }
        guard let last, number == last.number + 1 else { return nil }
        measured += 1
        shortest = min(shortest, ranking.time.seconds(since: last.time))
        guard measured == Self.enough, shortest > asked * 1.05 else { return nil }
        return "the daemon ranks only every \(fixed(shortest, digits: 2)) s (ranging.interval_s): "
            + "--interval \(asked) is shorter"
    }
}

/// The newest ranking of the daemon. It stays while the daemon has no other to tell, and goes with the daemon.
private final class NewestRanking: Sendable {
    private struct State {
        var document: RankingDocument?
        /// Counts them.
        var number = 0
        var failure: (any Error)?
    }

    private let state = Mutex(State())
    /// Says when to look at the newest. For one reader.
    let changes: AsyncStream<Void>
    private let change: AsyncStream<Void>.Continuation

    init() {
        let (changes, change) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        self.changes = changes
        self.change = change
    }

    /// Lets the reader look at the newest, also if it is the same.
    func look() { change.yield() }

    /// Nil where none is known.
    ///
    /// - Throws: why there will be none.
    func get() throws -> (document: RankingDocument, number: Int)? {
        let (document, number, failure) = state.withLock { ($0.document, $0.number, $0.failure) }
        if let failure { throw failure }
        guard let document else { return nil }
        return (document, number)
    }

    /// Takes the daemon's events until the task is cancelled.
    func follow(_ client: ControlClient) async {
        var feed = EventFeed(client: client, wantsStates: true)
        feed.goneChanged = { isGone in
            if isGone { self.state.withLock { $0.document = nil } }
        }
        do {
            try await feed.follow { event in
                guard event.kind == "ranging" else { return true }
                let document: RankingDocument = try ControlClient.decoded(Array(event.data.utf8), of: "/v1/events")
                state.withLock { state in
                    state.document = document
                    state.number += 1
                }
                look()
                return true
            }
        } catch {
            state.withLock { $0.failure = error }
            look()
        }
    }
}
