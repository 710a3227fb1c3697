// Where the daemon can be asked.
extension ConfigurationKey {
    static let controlSocket = ConfigurationKey(
        "control.socket", .text, "The Unix socket by which beaconctl asks the daemon, or none.")
    static let httpListen = ConfigurationKey(
        "http.listen", .text, "Where the same is offered over TCP, to read only: a port, or an address and a port.")
    static let httpTokenFile = ConfigurationKey(
        "http.token_file", .path, "A file that holds the token which clients on TCP have to show.")
    static let httpHosts = ConfigurationKey(
        "http.hosts", .texts, "Further names by which clients on TCP may call this host.")

    static let control: [ConfigurationKey] = [controlSocket, httpListen, httpTokenFile, httpHosts]
}
