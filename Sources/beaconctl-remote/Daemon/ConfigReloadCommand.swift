import ArgumentParser
import Console
import ControlClient
import Glibc
import Text
import Settings

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config", abstract: "Checks and reloads the daemon's configuration.",
        subcommands: [ConfigCheckCommand.self, ConfigReloadCommand.self])
}

struct ConfigReloadCommand: AsyncParsableCommand, ResultCommand {
    static let configuration = CommandConfiguration(
        commandName: "reload", abstract: "Reloads the daemon's configuration.",
        discussion:
            "If the daemon refuses it, the exit status is 1, the mistakes are listed, and the old one stays in use.")

    @OptionGroup var socket: SocketOption

    @OptionGroup var result: ResultOptions<TextFormat>

    func run() async throws {
        let environment = Environment.variables
        guard let path = try ControlSocket.find(socket.socket, environment) else {
            // systemd.service(5), ExecReload=: a daemon without a socket gets a signal and reports in the journal.
            guard let process = environment["MAINPID"].flatMap({ pid_t($0) }), process > 1, kill(process, SIGHUP) == 0
            else {
                throw CommandFailure("no daemon is running that could be asked; start it: sudo systemctl start beacond")
            }
            return
        }
        let bytes: [UInt8]
        do {
            bytes = try await ControlClient(socket: path).post("/v1/reload", within: ControlClient.usualLimit)
        } catch let refusal as ControlClientError where result.format == .json {
            Program.output(Self.json(refusal) + "\n")
            throw refusal
        } catch let refusal as ControlClientError where Journal.takes(environment) {
            // The daemon has already written the lines to the journal.
            throw CommandFailure(refusal.explanation)
        }
        guard result.format == .text else { return Program.output(String(decoding: bytes, as: UTF8.self)) }
        let answer: ReloadAnswer = try ControlClient.decoded(bytes, of: "/v1/reload")
        let waiting = answer.needsRestart ?? []
        Program.output(
            "the configuration is good, and is applied"
                + (waiting.isEmpty
                    ? "" : "; \(waiting.joined(separator: ", ")) after a restart: sudo systemctl restart beacond")
                + "\n")
    }

    /// `{"error","what_to_do","problems":[…]}`, as the daemon has it.
    private static func json(_ refusal: ControlClientError) -> String {
        var json = JSONText()
        json.object { json in
            json.value("error", refusal.placedProblem)
            json.value("what_to_do", refusal.remedy)
            guard !refusal.problems.isEmpty else { return }
            json.array("problems") { json in for problem in refusal.problems { json.value(nil, problem) } }
        }
        return json.text
    }
}
