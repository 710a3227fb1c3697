package import Beacon
package import Content
package import Health
package import Ranging

extension EventHub {
    /// The current state.
    package struct Snapshot: Sendable {
        /// Nil before the first tick.
        package var ranking: Ranking?
        package var isBlind = true
        /// Whether a beacon that is not in the ranking is absent. Shortly after the start it may not have been
        /// received yet.
        package var isSettled = false
        /// All regions of the configuration, as they were when a beacon last entered or left one; nil before the first
        /// tick.
        package var regions: [RegionState]?
        /// One for each source, in the order in which they first appeared.
        package var sources: [SourceState] = []
        /// The parts of the daemon that have failed and have not recovered, in the order in which they failed.
        package var failing: [FailingPart] = []
        /// The last event about the content that is wanted now.
        package var content: ContentEvent?
        /// Downloads in progress.
        package var progress: [(beacon: BeaconID?, progress: ContentProgress)] = []
        /// The state of the content site.
        package var site = SiteStatus()
        /// Whether the configuration has a content site; also true before that is known.
        package var isSiteConfigured = true
        /// The state of reporting to the site; nil if nothing is reported.
        package var reports: ReportStatus?
        package var health = HealthState.unknown
        /// Increases whenever the problems in `health`, or the beacons that it knows, change.
        package var healthChanges: UInt64 = 0
        /// Increases with every ranking: two rankings with the same number are the same.
        package var rankings: UInt64 = 0
        /// Increases whenever the stored content may have changed.
        package var contentChanges: UInt64 = 0
    }

    package enum HealthState: Sendable {
        /// Not known yet.
        case unknown
        /// The health of beacons is not watched.
        case off
        /// The health of the known beacons, in their order.
        case known([BeaconHealth])

        /// Empty if the health is not known.
        package var beacons: [BeaconHealth] { if case .known(let beacons) = self { beacons } else { [] } }

        /// Whether both have the same beacons with the same problems.
        func hasSameProblems(as other: Self) -> Bool {
            switch (self, other) {
            case (.unknown, .unknown), (.off, .off): true
            case (.known(let mine), .known(let others)):
                mine.lazy.map(\.beacon).elementsEqual(others.lazy.map(\.beacon))
                    && mine.lazy.map(\.problems).elementsEqual(others.lazy.map(\.problems))
            default: false
            }
        }
    }

    package struct SourceState: Sendable, Hashable {
        package enum State: String, Sendable, Hashable {
            case listening, lost, over
        }

        package var source: String
        package var state: State
        /// How the source is read, or what is wrong.
        package var detail: String
        /// When this state began.
        package var since: Timestamp
    }

    package struct FailingPart: Sendable, Hashable {
        package var part: String
        /// The problem that was reported last.
        package var problem: String
        /// When it failed.
        package var since: Timestamp
    }
}

extension EventHub.Snapshot {
    /// Applies an event to the state.
    mutating func note(_ record: EventRecord) {
        switch record.event {
        case .content(.progress): break
        case .content, .site, .synced: contentChanges += 1
        default: break
        }
        switch record.event {
        case .listening(let source, let how): note(source, .listening, how, record.time)
        case .lost(let source, let problem, _): note(source, .lost, problem, record.time)
        case .over(let source): note(source, .over, "", record.time)
        case .hearing(let hearing): isBlind = hearing == .blind
        case .content(let event): note(event)
        case .trouble(let part, let problem, _): noteFailure(of: part, problem, record.time)
        case .mended(let part): failing.removeAll { $0.part == part }
        case .ranging, .health, .site, .synced, .configuration: break
        }
    }

    private mutating func note(
        _ source: String, _ state: EventHub.SourceState.State, _ detail: String, _ time: Timestamp
    ) {
        var new = EventHub.SourceState(source: source, state: state, detail: detail, since: time)
        if let index = sources.firstIndex(where: { $0.source == source }) {
            // A source that keeps failing has been lost since its first failure.
            if sources[index].state == state { new.since = sources[index].since }
            sources[index] = new
        } else {
            sources.append(new)
        }
    }

    private mutating func noteFailure(of part: String, _ problem: String, _ time: Timestamp) {
        if let index = failing.firstIndex(where: { $0.part == part }) {
            failing[index].problem = problem
        } else {
            failing.append(EventHub.FailingPart(part: part, problem: problem, since: time))
        }
    }

    private mutating func note(_ event: ContentEvent) {
        progress.removeAll { $0.beacon == event.beacon }
        if case .progress(let beacon, let news) = event {
            if news.bytes < news.totalBytes { progress.append((beacon, news)) }
        } else {
            content = event
        }
    }
}
