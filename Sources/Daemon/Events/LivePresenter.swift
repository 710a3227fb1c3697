import Beacon
import Console
import Content
package import Events
package import Ranging
import Synchronization
package import Text

/// Shows the live ranking on a terminal, with running downloads and the last events below it.
package final class LivePresenter: Presenter {
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

    package init(names: Names, terminal: Terminal = .current) {
        self.names = names
        self.terminal = terminal
        var output = RankingOutput(.table, terminal: terminal)
        output.begin()
        state = Mutex(State(output: output))
    }

    package func show(_ record: EventRecord) {
        let event = record.event
        state.withLock { state in
            if case .content(let content) = event { note(content, &state) }
            if let (level, text) = event.line(names: names) {
                state.events.append(terminal.styled(text, level == .warning ? .yellow : .dim))
                if state.events.count > Self.eventsShown { state.events.removeFirst() }
            }
            draw(&state)
        }
    }

    package func show(_ ranking: Ranking, isBlind: Bool) {
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
            // The name gets the width that the bar leaves.
            let room = max(8, min(24, (terminal.limit ?? 79) - 10 - displayWidth(share)))
            let name = shortened(names[content: beacon], room, cut: .middle, mark: terminal.hasBlocks ? "…" : "~")
            footer.append("fetching \(pad(name, -room)) \(share)")
        }
        footer += state.events
        state.output.write(ranking, footer: footer)
        state.output.flush()
    }
}
