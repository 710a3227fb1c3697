import ArgumentParser
import Beacon
import Console
import Content

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
            for state in states { print(ContentStateText.json(state)) }
        } else if states.isEmpty {
            print("nothing is stored in \(access.place)")
        } else {
            print(ContentStateText.table(states, .current))
        }
    }
}

/// States as a table and as JSON.
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

    static func json(_ state: ContentState) -> String {
        var json = JSONText()
        json.object { json in
            json.write(state.scope)
            json.value("name", state.name)
            switch state.state {
            case .complete: json.value("state", "complete")
            case .partial(let percent):
                json.value("state", "partial")
                json.value("percent", percent)
            case .stale(let since):
                json.value("state", "stale")
                json.value("since", since?.rfc3339)
            case .missing: json.value("state", "missing")
            }
            json.value("assets", state.assets)
            json.value("bytes", Int(state.bytes))
            json.value("present_bytes", Int(state.presentBytes))
            json.value("validated_at", state.validatedAt?.rfc3339)
        }
        return json.text
    }
}

extension JSONText {
    /// `scope` as text, and the parts of it that there are.
    mutating func write(_ scope: ContentScope) {
        value("scope", scope.description)
        switch scope {
        case .beacon(let id):
            value("uuid", id.uuid.description)
            value("major", Int(id.major))
            value("minor", Int(id.minor))
        case .major(let uuid, let major):
            value("uuid", uuid.description)
            value("major", Int(major))
        case .uuid(let uuid): value("uuid", uuid.description)
        case .uncategorized: break
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
