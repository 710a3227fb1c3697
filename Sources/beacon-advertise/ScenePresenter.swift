import Advertising
import Console
import Glibc
import Synchronization
import Text

/// Shows how far a scene is: on a terminal as one line in place, elsewhere as a line every few seconds.
final class ScenePresenter: Sendable {
    private struct State {
        /// Nil before it is on the air.
        var start: ContinuousClock.Instant?
        var last: ScenePlayer.Progress?
        var isLineOpen = false
    }

    private let scene: Scene
    private let isTerminal = isatty(2) == 1
    private let state = Mutex(State())
    /// Seconds between two lines where it is not a terminal.
    private static let spacing: Int64 = 10

    init(_ scene: Scene) {
        self.scene = scene
    }

    static func summary(of scene: Scene) -> String {
        let changes = scene.beacons.reduce(0) { $0 + $1.script.count }
        return "\(scene.beacons.count) beacons, \(changes) changes, \(fixed(scene.duration / .seconds(1), digits: 1)) s"
            + (scene.isRepeated ? ", again and again" : "")
    }

    func tell(_ event: ScenePlayer.Event) {
        switch event {
        case .started(let places):
            state.withLock { $0.start = .now }
            let turns = places < scene.beacons.count
                ? "; they take turns of \(fixed(scene.turn / .seconds(1), digits: 1)) s" : ""
            line("playing \(Self.summary(of: scene)); places on the air: \(places)\(turns); Ctrl-C ends it")
            ServiceManager.ready()
        case .limitation(let text):
            line("note: \(text)")
        case .progress(let progress):
            show(progress)
        }
    }

    func end() {
        let (start, last) = state.withLock { ($0.start, $0.last) }
        guard let start else { return }
        line("ended after \(fixed((ContinuousClock.now - start) / .seconds(1), digits: 0)) s, "
            + "\(last?.changes ?? 0) changes on the air")
    }

    private func show(_ progress: ScenePlayer.Progress) {
        let isDue = state.withLock { state in
            defer { state.last = progress }
            return isTerminal || state.last == nil || progress.elapsed.components.seconds % Self.spacing == 0
        }
        guard isDue else { return }
        let names = progress.names.prefix(4).joined(separator: ", ") + (progress.names.count > 4 ? ", …" : "")
        let waiting = progress.waiting > 0 ? ", \(progress.waiting) waiting" : ""
        let text =
            "\(progress.elapsed.components.seconds) s of "
            + (scene.isRepeated ? "∞" : "\(fixed(scene.duration / .seconds(1), digits: 0)) s")
            + ": \(progress.onAir) on the air\(waiting)" + (names.isEmpty ? "" : " (\(printable(names)))")
        guard isTerminal else { return line(text) }
        state.withLock { $0.isLineOpen = true }
        Program.draw("\r\u{1B}[K" + shortened(text, Terminal.standardError.limit ?? 79))
    }

    private func line(_ text: String) {
        let isOpen = state.withLock { state in
            defer { state.isLineOpen = false }
            return state.isLineOpen
        }
        Program.write((isOpen ? "\n" : "") + text + "\n")
    }
}
