import Beacon
import Content
import Ranging

/// Decides which events deserve a line, a command or another cost, for kinds that may come in any number.
///
/// Anybody can send beacons, so events about them have a limit: a number of each kind within some seconds, then a count
/// of the rest. Rare events (a new nearest beacon, the scanner, a source, a part) have no limit. A plain value: the
/// caller passes the time.
package struct FloodLimit: Sendable {
    /// How many of a kind were held back.
    package struct Summary: Hashable, Sendable {
        /// As in `DaemonEvent.kind`.
        package var kind: String
        package var count: Int
        /// The length of the time, in seconds.
        package var seconds: Int

        package var text: String {
            "\(count) more \(kind) events in the last \(seconds) s"
        }
    }

    private struct Key: Hashable, Comparable {
        var kind: String
        /// Beacons with a name have their own limit, which a flood of others cannot use up.
        var isNamed: Bool

        static func < (left: Key, right: Key) -> Bool {
            left.kind != right.kind ? left.kind < right.kind : left.isNamed && !right.isNamed
        }
    }

    private struct Window {
        var began: Double
        var passed = 0
        var held = 0
    }

    private let unnamed: Int
    private let named: Int
    private let seconds: Double
    private var windows: [Key: Window] = [:]

    /// Whether there can be as many of these events as beacons.
    package static func limits(_ event: DaemonEvent) -> Bool {
        switch event {
        case .ranging(let event):
            switch event {
            case .entered, .exited, .proximity: true
            case .nearest, .regionEntered, .regionExited, .regionDwelled: false
            }
        case .health: true
        case .site(let event): if case .failed = event { true } else { false }
        // Content for "no beacon is near" cannot flood.
        case .content(let event): event.beacon != nil
        default: false
        }
    }

    /// - Parameters:
    ///   - unnamed: how many events of a kind pass within `seconds`, for beacons without a name.
    ///   - named: the same for beacons with a name.
    ///   - seconds: the length of the time.
    package init(unnamed: Int, named: Int, seconds: Double = 10) {
        self.unnamed = max(0, unnamed)
        self.named = max(0, named)
        self.seconds = max(0.001, seconds)
    }

    /// Whether an event passes.
    ///
    /// - Parameters:
    ///   - isNamed: its beacon has a name.
    ///   - now: seconds of a clock that is never set.
    package mutating func passes(_ event: DaemonEvent, isNamed: Bool, at now: Double) -> Bool {
        guard Self.limits(event) else { return true }
        let key = Key(kind: event.kind, isNamed: isNamed)
        var window = windows[key] ?? Window(began: now)
        // `summaries` first reports the count of held events.
        if now - window.began >= seconds, window.held == 0 { window = Window(began: now) }
        let passes = window.passed < (isNamed ? named : unnamed)
        if passes { window.passed += 1 } else { window.held += 1 }
        windows[key] = window
        return passes
    }

    /// How many events were held back, for windows that have ended. Call it before each event, and regularly.
    ///
    /// - Parameter isEnd: no more events follow, so all windows are reported.
    package mutating func summaries(at now: Double, isEnd: Bool = false) -> [Summary] {
        var summaries: [Summary] = []
        for key in windows.keys.sorted() {
            guard let window = windows[key], isEnd || now - window.began >= seconds else { continue }
            windows[key] = nil
            guard window.held > 0 else { continue }
            let length = Int(max(1, (now - window.began).rounded()))
            if summaries.last?.kind == key.kind {
                summaries[summaries.count - 1].count += window.held
            } else {
                summaries.append(Summary(kind: key.kind, count: window.held, seconds: length))
            }
        }
        return summaries
    }
}
