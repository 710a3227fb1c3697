import Beacon
import Listening
import Radio

extension SourceSpec {
    /// The adapter's name if other programs may use it too; nil for controllers of this program only.
    private var sharedAdapter: String? {
        guard case .adapter(let adapter, .raw) = kind else { return nil }
        switch adapter {
        case .index(let index): return "hci\(index)"
        case .address(let address):
            let adapters = (try? LinuxAdapters.all()) ?? []
            return adapters.first { $0.address == address }?.name ?? "\(address)"
        }
    }

    /// Reserves advertising sets on an adapter that others may use; nil for controllers of this program only.
    func claim(_ count: Int = 1) async throws(RadioError) -> AdvertisingClaim? {
        guard let sharedAdapter else { return nil }
        return try await AdvertisingClaim(adapter: sharedAdapter, count: count)
    }

    /// For bluetoothd.
    ///
    /// - Throws: `badSource` for a source that is not an adapter.
    var adapterIndex: UInt16 {
        get throws(RadioError) {
            switch kind {
            case .bluetoothd(let index), .adapter(.index(let index), .raw): return index
            case .adapter(.address(let address), .raw):
                if let adapter = try LinuxAdapters.all().first(where: { $0.address == address }) {
                    return adapter.index
                }
            default: break
            }
            throw RadioError(
                .badSource, at: "source \"\(self)\"", "is no adapter of bluetoothd", remedy: "use --adapter hci0")
        }
    }
}
