import Beacon
import Content
import Ranging

/// Says which events of a kind that may come in any number are worth a line, a command or another thing that costs.
///
/// Anybody can put beacons on the air, so what is told of them has a limit: so many of a kind in some seconds, and then
/// how many more there were. What happens rarely (another nearest beacon, the scanner, a source, a part) has none. A
/// plain value: it is told the time.
package struct FloodLimit: Sendable {
    /// How many of a kind were held back.
    package struct Summary: Hashable, Sendable {
        /// As in `DaemonEvent.kind`.
        package var kind: String
        package var count: Int
        /// In so many seconds.
        package var seconds: Int

        /// For people.
        package var text: String {
            "\(count) more \(kind) events in the last \(seconds) s"
        }
    }

    private struct Key: Hashable, Comparable {
        var kind: String
        /// Beacons with a name have a limit of their own, which no flood of others uses up.
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

    /// Whether there may be as many of it as there are beacons.
    package static func limits(_ event: DaemonEvent) -> Bool {
        switch event {
        case .ranging(let event):
            switch event {
            case .entered, .exited, .proximity: true
            case .nearest, .regionEntered, .regionExited, .regionDwelled: false
            }
        case .site(let event): if case .failed = event { true } else { false }
        // Content that is shown where no beacon is near is nobody's flood.
        case .content(let event): event.beacon != nil
        default: false
        }
    }

    /// - Parameters:
    ///   - unnamed: events of a kind that pass in some seconds, of beacons without a name.
    ///   - named: the same, of beacons with one.
    ///   - seconds: in so many.
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
        // What was held is told first, by `summaries`.
        if now - window.began >= seconds, window.held == 0 { window = Window(began: now) }
        let passes = window.passed < (isNamed ? named : unnamed)
        if passes { window.passed += 1 } else { window.held += 1 }
        windows[key] = window
        return passes
    }

    /// What was held back in the times that are over. To be asked for before each event, and now and then.
    ///
    /// - Parameter isEnd: nothing comes any more, so all is told.
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
