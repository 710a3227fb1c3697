internal import Beacon
internal import SiteFormat

/// What was learned about visitors, and what happens before the stored data is read.
struct Learning: Sendable {
    /// Nil until the store was read.
    var learned: Learned?
    /// The revision of the list that was stored at the start.
    var storedRevision: Int64?
    /// The manifest of the last beacon that was the nearest.
    private(set) var lastNearest: (scope: ContentScope, at: Duration)?
    /// The last one that belongs to one beacon alone. Without a list, each does.
    private var lastOwn: (scope: ContentScope, at: Duration)?
    /// The visits before the store was read.
    var waiting: [(beacon: BeaconID?, date: Double, at: Duration)] = []
    var isReading = false
    var isSaving = false
    /// Something has changed since the last save.
    var hasChanged = false

    /// If the next beacon is near within this time, it counts as reached from the last one.
    private static let walkLimit: Duration = .seconds(600)
    static let maximumWaiting = 256
    /// Changes are saved together. The file is written as a whole, it can have megabytes, and cards wear out. If the
    /// process is killed meanwhile, little is lost.
    static let pause: Duration = .seconds(600)

    /// - Parameter scope: that of the manifest that was needed.
    mutating func record(_ scope: ContentScope, date: Double, at now: Duration) {
        hasChanged = true
        learned?.need(scope, at: Int64(date))
        guard scope != .uncategorized else { return }
        let isOwn = scope.beacon != nil
        walk(from: lastNearest, to: scope, date: date, at: now)
        // A shared manifest may be that of a corridor: from exhibit to exhibit through it is one way as well.
        if isOwn, lastOwn?.scope != lastNearest?.scope { walk(from: lastOwn, to: scope, date: date, at: now) }
        lastNearest = (scope, now)
        if isOwn { lastOwn = lastNearest }
    }

    /// With another list; see `Learned.join`.
    mutating func join(_ current: (ContentScope) -> ContentScope?) {
        learned?.join(current)
        lastNearest = lastNearest.flatMap { last in current(last.scope).map { ($0, last.at) } }
        lastOwn = lastOwn.flatMap { last in current(last.scope) == last.scope ? last : nil }
    }

    private mutating func walk(
        from last: (scope: ContentScope, at: Duration)?, to scope: ContentScope, date: Double, at now: Duration
    ) {
        guard let last, now - last.at < Self.walkLimit else { return }
        learned?.transitions.record(from: last.scope, to: scope, at: date)
    }
}

extension SyncScheduler {
    /// Whether the learned data was read from the store.
    package var hasStored: Bool { learning.learned != nil }

    mutating func readStored() {
        guard learning.learned == nil, !learning.isReading else { return }
        learning.isReading = true
        emit(.readStored)
    }

    /// The learned data was read from the store.
    package mutating func stored(_ learned: Learned, revision: Int64?, at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            guard scheduler.learning.learned == nil else { return }
            scheduler.learning.isReading = false
            scheduler.learning.learned = learned
            scheduler.learning.storedRevision = revision
            scheduler.joinLearned()
            for visit in scheduler.learning.waiting {
                scheduler.record(visit.beacon, date: visit.date, at: visit.at)
            }
            scheduler.learning.waiting = []
            scheduler.save()
            scheduler.updateRanks()
            scheduler.beginSchedule()
        }
    }

    /// Records that this beacon is the nearest now.
    mutating func learn(_ beacon: BeaconID?, date: Double) {
        guard learning.learned != nil else {
            if learning.waiting.count < Learning.maximumWaiting { learning.waiting.append((beacon, date, now)) }
            return readStored()
        }
        record(beacon, date: date, at: now)
        save()
    }

    /// Nothing is learned about a beacon that the list does not have: anybody can send any number of identities.
    private mutating func record(_ beacon: BeaconID?, date: Double, at time: Duration) {
        if let scope = scope(of: beacon) { learning.record(scope, date: date, at: time) }
    }

    private mutating func save() {
        guard learning.hasChanged, !learning.isSaving, !isClosed else { return }
        learning.isSaving = true
        emit(.saveLearned(after: Learning.pause))
    }

    /// The learned data, to be saved now; nil before the store was read.
    package mutating func takeLearned() -> Learned? {
        learning.hasChanged = false
        return learning.learned
    }

    /// Before a list was known, anything was learned.
    mutating func joinLearned() {
        guard site?.list != nil else { return }
        var joined = learning
        joined.join { scope(of: $0) }
        learning = joined
    }

    /// The data that `takeLearned` returned was saved.
    package mutating func saved(at now: Duration) -> [Action] {
        step(at: now) { scheduler in
            scheduler.learning.isSaving = false
            scheduler.save()
        }
    }
}
