import Beacon
import BlueZ
import Bus
import Radio

/// A session that is told what happens, and what it wants done.
struct SessionScript {
    var session: BluezSession
    /// Everything that it wanted since the last look.
    var actions: [BluezSession.Action] = []
    private var requests: [BluezRequest] = []
    private var alarm: BluezSession.Alarm?

    init(
        _ goal: BluezSession.Goal = .listen(), limits: BluezSession.Limits = BluezSession.Limits(),
        silence: SilenceWatch.Settings = SilenceWatch.Settings(), listedBy: String? = nil
    ) {
        session = BluezSession(
            adapter: 0, source: 3, goal: goal, limits: limits, silence: silence, listedBy: listedBy)
    }

    /// Connected, and bluetoothd has told its objects.
    static func examined(
        _ objects: [String: BusValue] = [Announced.adapterPath: Announced.adapter()],
        goal: BluezSession.Goal = .listen(), silence: SilenceWatch.Settings = SilenceWatch.Settings()
    ) -> SessionScript {
        var script = SessionScript(goal, silence: silence)
        script.connect()
        script.answerObjects(objects)
        return script
    }

    /// Listening with a monitor, or a discovery.
    static func listening(
        _ method: BluezSession.Method = .combined, silence: SilenceWatch.Settings = SilenceWatch.Settings()
    ) -> SessionScript {
        var script = examined(
            [Announced.adapterPath: Announced.adapter(offersMonitors: method != .discovery)],
            goal: method == .monitor ? .listen(.monitor) : .listen(), silence: silence)
        script.start(method)
        script.actions = []
        return script
    }

    mutating func feed(_ input: BluezSession.Input) {
        let new = session.handle(input, at: Timestamp(seconds: 1))
        for case .call(let request) in new { requests.append(request) }
        for case .wait(let next, _) in new { alarm = next }
        actions += new
    }

    mutating func feed(_ message: BusMessage) {
        feed(.message(message))
    }

    mutating func connect() {
        feed(.connected)
        for request in requests {
            if case .watch = request.kind { answer(request.kind) }
        }
    }

    /// Answers the last request of a kind.
    mutating func answer(
        _ kind: BluezRequest.Kind, _ body: [BusValue] = [], from sender: String = Announced.daemon
    ) {
        guard let request = requests.last(where: { $0.kind == kind }) else { return }
        feed(.reply(request, .success(Announced.from(sender, request.message.answer(body)))))
    }

    /// Answers the first request of a kind.
    mutating func answerFirst(_ kind: BluezRequest.Kind) {
        guard let request = requests.first(where: { $0.kind == kind }) else { return }
        feed(.reply(request, .success(Announced.from(Announced.daemon, request.message.answer([])))))
    }

    mutating func fail(_ kind: BluezRequest.Kind, _ name: String, _ text: String = "") {
        guard let request = requests.last(where: { $0.kind == kind }) else { return }
        feed(.reply(request, .failure(BusError(BusError.Name(rawValue: name), text))))
    }

    mutating func answerObjects(_ objects: [String: BusValue], from sender: String = Announced.daemon) {
        answer(.objects, [Announced.objects(objects)], from: sender)
    }

    mutating func start(_ method: BluezSession.Method, from sender: String = Announced.daemon) {
        if method != .discovery {
            answer(.registerMonitor)
            feed(Announced.monitorCall("Activate", from: sender))
        }
        if method != .monitor {
            answer(.setDiscoveryFilter())
            answer(.startDiscovery)
        }
    }

    /// Seconds pass, one by one.
    mutating func pass(_ seconds: ClosedRange<Int>) {
        for second in seconds { feed(.tick(Double(second))) }
    }

    /// The last alarm rings.
    mutating func ring() {
        if let alarm { feed(.alarm(alarm)) }
    }

    // MARK: - What it wanted

    mutating func take() -> [BluezSession.Action] {
        defer { actions = [] }
        return actions
    }

    var kinds: [BluezRequest.Kind] {
        actions.compactMap { if case .call(let request) = $0 { request.kind } else { nil } }
    }

    var sightings: [Sighting] {
        actions.compactMap { if case .sighting(let sighting) = $0 { sighting } else { nil } }
    }

    var started: [BluezSession.Method] {
        actions.compactMap { if case .started(let method) = $0 { method } else { nil } }
    }

    var interruptions: [RadioError] {
        actions.compactMap { if case .interrupted(let error) = $0 { error } else { nil } }
    }

    var hasEnded: Bool {
        actions.contains { if case .end = $0 { true } else { false } }
    }

    /// The error that it ended with.
    var error: RadioError? {
        for case .end(let error) in actions { return error }
        return nil
    }
}
