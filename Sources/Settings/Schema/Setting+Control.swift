// Where the daemon can be asked.
extension Setting {
    static let control: [Setting] = [
        Setting(
            "control.socket", .text(\.control.socket),
            .restarts(["control"]), unset: "`/run/beacond/control.sock`", option: .socket,
            "the Unix socket by which `beaconctl` asks the daemon, or `none` ([api.md](api.md)); one that systemd "
                + "hands over comes first"),
        Setting(
            "http.listen", .text(\.http.listen), .restarts(["http"]),
            "where the same is available over TCP, for reading only: a port (then on the loopback address), or "
                + "an IP address and a port; `none` for nowhere"),
        Setting(
            "http.token_file", .file(\.http.tokenFile), .restarts(["control", "http"]),
            "a file that holds the token which clients on TCP have to show; without it, the credential "
                + "`http-token` that systemd hands over. Needed where `http.listen` is no loopback address"),
        Setting(
            "http.hosts", .texts(\.control.hosts), .restarts(["control", "http"]),
            "further names of this host that clients on TCP may use, besides its addresses, its own name and "
                + "`localhost`"),
        Setting(
            "dbus.enabled", .openFlag(\.isOnBus), .restarts(["dbus"]), unset: "where the bus allows it",
            "be on the system's bus as `org.beacond.Beacond1` ([D-Bus](dbus.md)); `true` says what is in the way, "
                + "`false` stays off"),
    ]
}
