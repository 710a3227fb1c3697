import Beacon
package import Radio
import Text

/// Where advertisements come from, as written after `--source` and in the configuration.
package struct SourceSpec: Hashable, Sendable, CustomStringConvertible {
    package enum Kind: Hashable, Sendable {
        case adapter(LinuxHCITransport.Adapter, LinuxHCITransport.Channel)
        case bluetoothd(UInt16)
        case h4(H4Endpoint)
        /// A capture; "-" is standard input.
        case file(path: String)
        /// The emulated air; nil is the built-in scenario.
        case emulation(path: String?)
        /// The first adapter with Bluetooth Low Energy.
        case auto
    }

    package var kind: Kind
    /// As the user wrote it: the source's name in messages and listings.
    package var description: String

    package static let auto = SourceSpec(kind: .auto, description: "auto")

    /// Whether it is a capture, which ends by itself and has its own time.
    package var isFile: Bool {
        if case .file = kind { true } else { false }
    }

    /// Whether HCI commands can be sent to it.
    package var isController: Bool {
        switch kind {
        case .adapter, .h4, .emulation: true
        case .bluetoothd, .file, .auto: false
        }
    }

    private init(kind: Kind, description: String) {
        self.kind = kind
        self.description = description
    }

    /// Reads a specification.
    ///
    /// - Throws: `badSource`, with what is wrong and what is allowed.
    package init(_ text: String) throws(RadioError) {
        self.init(kind: try Self.kind(of: text), description: text)
    }

    private static func kind(of text: String) throws(RadioError) -> Kind {
        // By octets: a path may begin with a mark that Swift joins with the colon.
        let colon = text.utf8.firstIndex(of: UInt8(ascii: ":"))
        let head = text[..<(colon ?? text.endIndex)]
        let rest = colon.map { text[text.utf8.index(after: $0)...] }
        switch (head, rest) {
        case ("auto", nil): return .auto
        case ("sim", nil): return .emulation(path: nil)
        case ("sim", let path?) where !path.isEmpty: return .emulation(path: String(path))
        case ("file", let path?) where !path.isEmpty: return .file(path: String(path))
        case ("h4", let endpoint?): return .h4(try H4Endpoint(endpoint, of: text))
        case ("hci", let address?):
            guard let address = DeviceAddress(String(address)) else {
                throw bad(text, "\"\(excerpt(address))\" is no adapter address", "write hci:AA:BB:CC:DD:EE:FF")
            }
            return .adapter(.address(address), .raw)
        case ("bluez", let adapter?):
            guard let index = adapterIndex(adapter) else {
                throw bad(text, "\"\(excerpt(adapter))\" is no adapter", "write bluez:hci0")
            }
            return .bluetoothd(index)
        case (let adapter, nil):
            if let index = adapterIndex(adapter) { return .adapter(.index(index), .raw) }
        case (let adapter, "user"):
            if let index = adapterIndex(adapter) { return .adapter(.index(index), .user) }
        default: break
        }
        throw bad(
            text, "is not understood",
            "sources: hci0, hci:AA:BB:CC:DD:EE:FF, hci0:user, bluez:hci0, h4:tcp:HOST:PORT, h4:unix:PATH, "
                + "h4:serial:DEVICE[,BAUD], file:PATH, sim, sim:SCENARIO.yaml, auto")
    }

    private static func adapterIndex(_ text: some StringProtocol) -> UInt16? {
        guard text.hasPrefix("hci") else { return nil }
        return UInt16(text.dropFirst(3))
    }

    private static func bad(_ text: String, _ problem: String, _ remedy: String) -> RadioError {
        RadioError(.badSource, at: "source \"\(excerpt(text))\"", problem, remedy: remedy)
    }
}
