import Settings


extension ControlSettings {
    /// The settings below `control` and `http`. What is wrong is noted.
    init(_ values: inout Values) {
        self.init(socket: ControlSocket.own(values.environment))
        if let text = values.text(.controlSocket) { socket = text == "none" ? nil : text }
        if let socket, !socket.hasPrefix("/") {
            values.complain(
                .controlSocket, "\"\(socket)\" is no absolute path; write one that begins with /, or none")
        }
        token = values.secret(.httpTokenFile, credential: "http-token")
        hosts = values.texts(.httpHosts) ?? []
        guard let text = values.text(.httpListen), text != "none" else { return }
        listen = values.reading(.httpListen) { try ListenAddress(text) }
        if let token, !token.utf8.allSatisfy({ (0x21...0x7E).contains($0) && $0 != UInt8(ascii: ";") }) {
            values.complain(.httpTokenFile, "a token is made of letters, digits and signs other than ;")
        }
        if let listen, !listen.isLoopback, token == nil {
            values.complain(
                .httpListen,
                "others on the network reach \(listen), so a token has to be asked for; "
                    + "set http.token_file, or listen on 127.0.0.1:\(listen.port)")
        }
    }
}
