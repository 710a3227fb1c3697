import ArgumentParser
import Beacon
import Console
import Content
import Events
import SiteFormat
import Text

struct ContentListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists every beacon of the site, and how much of its content is on the disk.",
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
            for state in states { Program.output(ContentText.json(state) + "\n") }
        } else if states.isEmpty {
            Program.output("nothing is stored in \(access.place)\n")
        } else {
            Program.output(ContentStateText.table(states, .current) + "\n")
        }
    }
}

/// States of content as a table.
enum ContentStateText {
    static func table(_ states: [ContentState], _ terminal: Terminal) -> String {
        var table = TextTable([
            .init("BEACON", least: 17), .init("STATE", reserved: 8), .init("FILES", isNumber: true, rank: 2),
            .init("SIZE", isNumber: true, reserved: 10, rank: 3), .init("CONFIRMED", rank: 4),
            .init("NAME", least: 10),
        ])
        for state in states {
            table.add([
                .init(text(state.scope)),
                .init(word(state.state), style: state.state == .complete ? .green : .yellow),
                .init("\(state.assets)"), .init(ByteCount.text(state.bytes)), .init(time(state) ?? "-"),
                .init(state.name ?? ""),
            ])
        }
        return table.lines(terminal).joined(separator: "\n")
    }

    /// As in every table, UUIDs are in upper case.
    private static func text(_ scope: ContentScope) -> String {
        scope == .uncategorized ? scope.description : scope.description.uppercased()
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
