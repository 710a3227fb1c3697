import ArgumentParser
import Beacon
import Console
import Content
import Events

struct ContentListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists every beacon of the site, and how much of its content is there.",
        discussion: """
            complete: all of it, as the site has it. N %: on its way; nothing is shown yet. stale: older content, \
            which is shown; a newer one is known, or the site has not confirmed it for an hour. missing: nothing.
            """)

    @OptionGroup var content: ContentOptions

    @OptionGroup var output: ContentFormatOptions

    func run() async throws {
        let access = try await content.opened()
        let states = try await access.states()
        if output.isJSON {
            for state in states { print(ContentText.json(state)) }
        } else if states.isEmpty {
            print("nothing is stored in \(access.place)")
        } else {
            print(ContentStateText.table(states, .current))
        }
    }
}

/// States as a table.
enum ContentStateText {
    static func table(_ states: [ContentState], _ terminal: Terminal) -> String {
        let labels = states.map { $0.scope.description }
        let width = max(6, labels.map(\.count).max() ?? 0)
        var lines = [
            terminal.styled("\(pad("BEACON", -width))  STATE     FILES        SIZE  CONFIRMED             NAME", .dim)
        ]
        for (state, label) in zip(states, labels) {
            let style: Terminal.Style = state.state == .complete ? .green : .yellow
            let columns = [
                pad(label, -width), terminal.styled(pad(word(state.state), -8), style), pad("\(state.assets)", 5),
                pad(ByteCount.text(state.bytes), 10), pad(time(state) ?? "-", -20), printable(state.name ?? ""),
            ]
            lines.append(columns.joined(separator: "  ").trimmingTrailingBlanks)
        }
        return lines.joined(separator: "\n")
    }

    private static func time(_ state: ContentState) -> String? {
        state.validatedAt.map { "\($0.rfc3339.prefix(19))Z" }
    }

    private static func word(_ state: ContentState.State) -> String {
        switch state {
        case .complete: "complete"
        case .partial(let percent): "\(percent) %"
        case .stale: "stale"
        case .missing: "missing"
        }
    }
}

extension String {
    fileprivate var trimmingTrailingBlanks: String {
        var text = self[...]
        while text.last == " " { text.removeLast() }
        return String(text)
    }
}
