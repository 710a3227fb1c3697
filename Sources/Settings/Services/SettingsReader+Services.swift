import Glibc
import Platform

// What the settings are of each part of the daemon that needs no other target to be read. What is wrong is noted.
extension SettingsReader {
    /// The settings below `control` and `http`.
    package mutating func controlSettings() -> ControlSettings {
        var settings = values.control
        settings.socket = settings.socket ?? ControlSocket.own(environment)
        if settings.socket == "none" { settings.socket = nil }
        if let socket = settings.socket, !PathText.isAbsolute(socket) {
            complain(
                \.control.socket, "\"\(socket)\" is no absolute path", remedy: "write one that begins with /, or none")
        } else if let socket = values.control.socket, socket.utf8.count > ControlSocket.longestPath {
            complain(
                \.control.socket,
                "a socket's path has at most \(ControlSocket.longestPath) octets, not \(socket.utf8.count)",
                remedy: "write a shorter one")
        }
        requireHosts(\.control.hosts)
        settings.token = secret(\.http.tokenFile, credential: "http-token")
        guard let text = values.http.listen, text != "none" else { return settings }
        settings.listen = reading(\.http.listen) { try ListenAddress(text) }
        if let token = settings.token, !ControlSettings.isToken(token) {
            complain(\.http.tokenFile, "a token is made of letters, digits and signs other than ;")
        }
        if let listen = settings.listen, !listen.isLoopback, settings.token == nil {
            complain(
                \.http.listen,
                "others on the network reach \(listen), so a token has to be asked for",
                remedy: "set http.token_file, or listen on 127.0.0.1:\(listen.port)")
        }
        return settings
    }

    /// Nil where the daemon is not to be on the bus.
    package func busSettings() -> BusServiceSettings? {
        values.isOnBus == false ? nil : BusServiceSettings(isDemanded: values.isOnBus == true)
    }

    /// The settings below `hooks`; nil where there is no command.
    package mutating func hookSettings() -> HookSettings? {
        for kind in HookSettings.kinds {
            guard let program = values.hooks[kind].first else { continue }
            if !PathText.isAbsolute(program) {
                complain(
                    \.hooks[kind],
                    "\"\(program)\" is no absolute path",
                    remedy: "a command is a list of a program and its arguments, as in "
                        + "[/usr/local/bin/notify, --quiet]")
            } else if access(program, X_OK) != 0 {
                complain(\.hooks[kind], "\(program) cannot be run: \(String(cString: strerror(errno)))")
            }
        }
        return values.hooks.commands.isEmpty ? nil : values.hooks
    }

    /// Nil where the health of beacons is not watched.
    package func healthSettings(stateDirectory: String) -> HealthSettings? {
        guard values.isHealthWatched else { return nil }
        var settings = values.health
        settings.file = stateDirectory + "/health.json"
        return settings
    }

    /// Nil where no history is kept.
    package func historySettings(stateDirectory: String) -> HistorySettings? {
        guard values.isHistoryKept else { return nil }
        var settings = values.history
        settings.file = stateDirectory + "/history.sqlite"
        return settings
    }
}
