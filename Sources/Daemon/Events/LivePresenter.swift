import Beacon
public import Console
import Content
public import Events
public import Ranging
import Synchronization

/// The live ranking on a terminal, with the content that is fetched and the last events below it.
public final class LivePresenter: Presenter {
    private struct State {
        var output: RankingOutput
        var ranking: Ranking?
        var progress: [(beacon: BeaconID?, progress: ContentProgress)] = []
        var events: [String] = []
    }

    private let names: Names
    private let terminal: Terminal
    private let state: Mutex<State>

    private static let eventsShown = 8

    public init(names: Names, terminal: Terminal = .current) {
        self.names = names
        self.terminal = terminal
        var output = RankingOutput(.table, terminal: terminal)
        output.begin()
        state = Mutex(State(output: output))
    }

    public func show(_ record: EventRecord) {
        let event = record.event
        state.withLock { state in
            if case .content(let content) = event { note(content, &state) }
            if let (level, text) = event.line(names: names) {
                state.events.append(level == .warning ? terminal.styled(text, .yellow) : text)
                if state.events.count > Self.eventsShown { state.events.removeFirst() }
            }
            draw(&state)
        }
    }

    public func show(_ ranking: Ranking, isBlind: Bool) {
        state.withLock { state in
            state.ranking = ranking
            draw(&state)
        }
    }

    private func note(_ event: ContentEvent, _ state: inout State) {
        state.progress.removeAll { $0.beacon == event.beacon }
        if case .progress(let beacon, let progress) = event, progress.bytes < progress.totalBytes {
            state.progress.append((beacon, progress))
        }
    }

    private func draw(_ state: inout State) {
        guard let ranking = state.ranking else { return }
        state.output.names = names.all
        var footer = [""]
        let bar = ProgressBar(terminal)
        for (beacon, progress) in state.progress.suffix(3) {
            let share = bar.text(progress.bytes, of: progress.totalBytes)
            footer.append("fetching \(pad(names[content: beacon], -24)) \(share)")
        }
        footer += state.events.map { terminal.styled(clipped($0), .dim) }
        state.output.write(ranking, footer: footer)
        state.output.flush()
    }

    /// A line that wraps would break the drawing in place.
    private func clipped(_ text: String) -> String {
        text.contains("\u{1B}") ? text : String(text.prefix(max(20, terminal.columns - 1)))
    }
}
