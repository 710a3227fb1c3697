import ArgumentParser
import Beacon
import Console
import ControlClient
import Glibc
import Platform
import Settings
import Text

struct NameCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "name",
        abstract: "Gives a beacon a name, or lists those that have one.",
        discussion: """
            beaconctl name 1.7 "Star Globe" writes the name into the configuration, below `beacons`, leaves everything \
            else in it as it is, and has the daemon use it. Without a beacon, the names of the configuration are listed.
            """)

    @Argument(help: "MAJOR.MINOR, UUID/MAJOR/MINOR, or the name that it has in the configuration.")
    var beacon: String?

    @Argument(help: "Its new name.")
    var name: String?

    @Flag(name: .long, help: "Remove its name.")
    var remove = false

    @Option(
        name: .long,
        help: ArgumentHelp("Configuration (default: \(RangingConfiguration.defaultFile)).", valueName: "file"))
    var config: String?

    @OptionGroup var socket: SocketOption

    @OptionGroup var result: ResultOptions<TextFormat>

    func validate() throws {
        guard config != "none", config != "" else {
            throw ValidationError("--config: names are written into a file; name one.")
        }
        // Otherwise the file of --output would be emptied for nothing.
        guard beacon == nil || (result.output == nil && result.format == .text) else {
            throw ValidationError(
                "--output, --format and --json are for the list of names: leave out the beacon, or them.")
        }
        if remove {
            guard beacon != nil else {
                throw ValidationError("--remove: name a beacon, as in 'beaconctl name 1.7 --remove'.")
            }
            guard name == nil else { throw ValidationError("--remove and a new name contradict each other.") }
        } else if beacon != nil {
            guard let name else {
                throw ValidationError(
                    "a name is missing, as in 'beaconctl name 1.7 \"Star Globe\"'; or add --remove. A name that begins "
                        + "with - needs -- before it, as in 'beaconctl name 1.7 -- \"-1 floor\"'.")
            }
            if let problem = BeaconNameRules.problem(with: name) { throw ValidationError("the name \(problem).") }
        }
    }

    private var file: String { config ?? RangingConfiguration.defaultFile }

    func run() async throws {
        try FilesApart.require([.configuration(file)])
        guard let beacon else {
            let known = try RangingConfiguration.load(file: file, mayBeMissing: config == nil, environment: [:]).beacons
            return try ResultFile.write(
                result.format == .json ? known.json + "\n" : known.text(.current, file: file), to: nil)
        }
        let key = try ConfigurationFileWriter.change(file, command: command) { text in
            let known = try RangingConfiguration.load(file: file, mayBeMissing: true, environment: [:]).beacons
            let key = try known.key(beacon)
            guard name != nil || known[key]?.name != nil else {
                throw CommandFailure("\(key): has no name in \(file)")
            }
            text = try BeaconNameEdit(beacon: key, name: name).applied(to: text, file: file)
            return key
        }
        let words = "\(key) \(name.map { "is \(printable($0))" } ?? "has no name") in \(file)"
        do {
            Program.write("\(words); \(try await reload())\n")
        } catch {
            // What is wrong is elsewhere in the file, and the name is in it.
            Program.write("\(words)\n")
            throw error
        }
    }

    /// The same command, for a message.
    private var command: String {
        let options = (remove ? ["--remove"] : []) + (config.map { ["--config", $0] } ?? [])
        let isDashed = name?.hasPrefix("-") == true
        var words = ["beaconctl", "name"]
        // After -- nothing is an option.
        if isDashed { words += options + ["--"] }
        words += [beacon, name].compactMap { $0 }
        if !isDashed { words += options }
        return words.map(shellWord).joined(separator: " ")
    }

    /// Has the daemon use it. Returns what has become of that, for a message.
    private func reload() async throws -> String {
        guard let path = try ControlSocket.find(socket.socket, Environment.variables) else {
            return "no daemon is running, so it counts from its next start"
        }
        let bytes = try await ControlClient(socket: path).post("/v1/reload", within: ControlClient.usualLimit)
        let answer: ReloadAnswer = try ControlClient.decoded(bytes, of: "/v1/reload")
        guard let used = answer.file, used != AtomicFile.target(of: file) else { return "the daemon uses it" }
        guard access(used, F_OK) == 0 || errno != ENOENT else {
            return "the daemon does not use it, because its configuration is \(printable(used)), which is not here; "
                + "does it run in a container? name that file as it is called here, with --config"
        }
        return "the daemon does not use it, because its configuration is another one: --config \(shellWord(used))"
    }
}

extension KnownBeacons {
    /// The beacon that a user means: by its identity, or by its name.
    fileprivate func key(_ text: String) throws(CommandFailure) -> BeaconKey {
        if let key = BeaconKey(text) { return key }
        let found = entries.filter { $0.value.name?.lowercased() == text.lowercased() }.keys.sorted()
        if let key = found.first, found.count == 1 { return key }
        guard found.isEmpty else {
            let list = found.map { "  \($0)" }.joined(separator: "\n")
            throw CommandFailure("\(printable(text)): may be any of these; name one of them:\n\(list)")
        }
        if let number = BeaconQuery.excessiveNumber(in: text) {
            throw .usage("\(text): \(number) is no number from 0 to 65535")
        }
        let meant = Suggestion.nearest(to: text, among: givenNames).map { "; did you mean \(printable($0))?" }
        throw CommandFailure(
            "\(printable(text)): is no beacon that has a name here: write MAJOR.MINOR or UUID/MAJOR/MINOR"
                + (meant ?? ""))
    }

    fileprivate func text(_ terminal: Terminal, file: String) -> String {
        guard !isEmpty else {
            return "no beacon has a name in \(file): beaconctl name 1.7 \"Star Globe\" gives it one\n"
        }
        var table = TextTable([
            .init("BEACON", least: 13), .init("NAME", least: 8, cut: .end), .init("EXPECTED", rank: 1),
        ])
        for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
            table.add([
                .init(key.id.map { "\($0.uuid.uppercased)/\($0.major)/\($0.minor)" } ?? "\(key)"),
                .init(entry.name ?? "-"), .init(entry.isExpected ? "yes" : "-"),
            ])
        }
        return table.lines(terminal).joined(separator: "\n") + "\n"
    }

    /// `{"beacons":[{"uuid","major","minor","name","expected"}…]}`; `uuid` is null where it is any.
    fileprivate var json: String {
        var json = JSONText()
        json.object { json in
            json.array("beacons") { json in
                for (key, entry) in entries.sorted(by: { $0.key < $1.key }) {
                    json.object { json in
                        json.value("uuid", key.uuid?.description)
                        json.value("major", Int(key.major))
                        json.value("minor", Int(key.minor))
                        json.value("name", entry.name)
                        json.value("expected", entry.isExpected)
                    }
                }
            }
        }
        return json.text
    }
}
