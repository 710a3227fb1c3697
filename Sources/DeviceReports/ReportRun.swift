import Broker
import Content
import Events
import Platform
import Settings
import SiteFormat
import Text

/// One run of the service.
struct ReportRun {
    /// The destination of reports.
    enum Target {
        case site(SitePost)
        case broker(PublicationRelay, topic: String)
    }

    private let settings: DeviceReportSettings
    private let content: ContentSettings
    private let hub: EventHub
    private let observer: ReportObserver
    private let version: String
    private var queue = ReportQueue()
    private var delivery = BrokerDelivery()
    private var backoff = Backoff(longest: 300)
    private var status = ReportStatus()
    /// The content on the disk. It is checked only if it may have changed, because there can be very much of it.
    private var holding: (changes: UInt64, missing: Int)?

    /// How often the current revision is checked, in seconds.
    private static let step = 1.0

    init(
        settings: DeviceReportSettings, content: ContentSettings, hub: EventHub, observer: ReportObserver,
        version: String
    ) {
        self.settings = settings
        self.content = content
        self.hub = hub
        self.observer = observer
        self.version = version
    }

    mutating func keepReporting(to target: Target) async {
        let clock = ContinuousClock()
        // The random delay keeps devices that are switched on together from reporting together.
        var due = clock.now + .seconds(Double.random(in: min(5, settings.interval / 2)...settings.interval))
        var attempt = clock.now
        let began = clock.now
        while !Task.isCancelled {
            observer.use(hub.snapshot.site.revision)
            if clock.now >= due {
                due += .seconds(settings.interval)
                if due < clock.now { due = clock.now + .seconds(settings.interval) }
                await finishPeriod(at: (clock.now - began) / .seconds(1))
            }
            if isUnasked, queue.first != nil { dropAll() }
            switch target {
            case .site(let post):
                if queue.first != nil, clock.now >= attempt {
                    if let pause = await send(post) { attempt = clock.now + .seconds(pause) }
                }
            case .broker(let relay, let topic):
                handOver(to: relay, topic: topic, now: (clock.now - began) / .seconds(1))
            }
            guard (try? await Task.sleep(for: .seconds(Self.step))) != nil else { return }
        }
    }

    /// The site has answered, and does not ask for reports.
    private var isUnasked: Bool {
        let site = hub.snapshot.site
        return site.hasAnswered && site.reports == nil
    }

    private mutating func dropAll() {
        queue.removeAll()
        tell(nil)
    }

    /// - Parameter now: seconds since the start of the run, by a clock that nobody sets.
    private mutating func finishPeriod(at now: Double) async {
        let state = await deviceState()
        guard let report = observer.finish(at: hub.time, version: version, state: state) else { return }
        // Until the site has answered, it may ask for this report.
        if isUnasked { return dropAll() }
        queue.append(report, at: now)
        tell(status.problem)
    }

    /// Sends the waiting reports. Returns the seconds until the next attempt; nil if all were sent.
    private mutating func send(_ post: SitePost) async -> Double? {
        // Another list may come meanwhile.
        while let path = hub.snapshot.site.reports, let report = queue.first, !Task.isCancelled {
            queue.tryFirst()
            do throws(ContentError) {
                try await post.post(report.json(host: settings.host), to: path)
                queue.removeFirst()
                backoff.reset()
                status.last = hub.time
                tell(nil)
            } catch  where error.code == .cancelled {
                return nil
            } catch  where error.code == .format {
                // This report will never be accepted, but the next one may be.
                queue.removeFirst()
                tell(error.description)
            } catch {
                let pause = max(
                    backoff.next() * Double.random(in: 0.8...1.2), error.retryAfter.map { $0 / .seconds(1) } ?? 0)
                tell(error.description, retry: pause)
                return pause
            }
        }
        return nil
    }

    /// Passes waiting reports to the broker's connection, and removes those from the queue that the broker has
    /// acknowledged.
    private mutating func handOver(to relay: PublicationRelay, topic: String, now: Double) {
        // Until the site's list is known, it is unknown whether the site asks for reports.
        guard hub.snapshot.site.reports != nil || queue.first == nil else { return }
        let step = delivery.step(&queue, arrived: relay.arrived, at: now)
        if step.isWithdrawn { relay.clear() }
        if let report = step.report {
            let json = report.json(host: settings.host)
            delivery.isUnderWay(relay.put(Publication(topic: topic, payload: json, isRetained: false)))
        }
        if step.hasArrived { status.last = hub.time }
        let problem = step.isLate ? "the broker does not take reports: see what is wrong with mqtt" : nil
        if step.hasArrived || problem != status.problem { tell(problem) }
    }

    /// - Parameter retry: seconds until the next attempt; nil if there is none.
    private mutating func tell(_ problem: String?, retry: Double? = nil) {
        // A problem is published as an event once, and so is its end.
        if let problem, status.problem == nil {
            hub.publish(.trouble(part: "reports", problem: problem, retry: retry))
        } else if problem == nil, status.problem != nil {
            hub.publish(.mended(part: "reports"))
        }
        status.problem = problem
        status.waiting = queue.count
        hub.publish(status)
    }

    private mutating func deviceState() async -> DeviceState {
        let snapshot = hub.snapshot
        var state = DeviceState()
        state.revision = snapshot.site.revision
        state.isBlind = snapshot.isBlind
        state.problems = [snapshot.site.problem].compactMap(\.self)
        state.problems += snapshot.sources.filter { $0.state == .lost }.map { "\($0.source): \($0.detail)" }
        if holding?.changes != snapshot.contentChanges {
            let (directory, now) = (content.directory, hub.time)
            let missing = try? await OwnThread.run {
                try ContentStore(reading: directory).states(now: now, staleAfter: .seconds(Int64.max / 4))
                    .filter { $0.state != .complete }.count
            }
            holding = missing.map { (snapshot.contentChanges, $0) }
        }
        state.missing = holding?.missing ?? 0
        state.isComplete = holding?.missing == 0 && state.revision != nil
        return state
    }
}
