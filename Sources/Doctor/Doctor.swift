public import Listening
import Radio

/// Looks at everything that listening depends on, and says what to do about what is wrong.
public struct Doctor: Sendable {
    /// The source to listen with; nil for the first adapter.
    public var source: SourceSpec?
    /// Seconds of the listening test.
    public var listening: Double = 10
    /// The content site to reach, if any.
    public var baseURL: String?

    public init() {}

    /// Makes all checks, in the order in which one depends on the other, and tells each as soon as it is known.
    public func examine(_ tell: @Sendable (Finding) -> Void) async {
        var findings: [Finding] = []
        func found(_ finding: Finding) {
            findings.append(finding)
            tell(finding)
        }
        if source?.usesKernel ?? true {
            let adapters = examineKernel(found)
            examineRights(found)
            if let adapter = adapters.first {
                for finding in NeighbourProbe.findings(adapter) { found(finding) }
            }
        }
        let isHopeless = findings.contains { $0.verdict == .failure }
        if isHopeless {
            found(Finding("listening", .failure, "not tried", remedy: "first mend what is said above"))
        } else {
            for finding in await ListeningProbe(source: source ?? .auto, seconds: listening).findings() { found(finding) }
        }
        found(ClockProbe.finding())
        if let baseURL { found(SiteProbe.finding(baseURL)) }
    }

    private func examineKernel(_ found: (Finding) -> Void) -> [LinuxAdapter] {
        let adapters: [LinuxAdapter]
        do throws(RadioError) {
            adapters = try LinuxAdapters.all()
        } catch {
            found(Finding("kernel", .failure, error.problem, remedy: error.remedy))
            return []
        }
        found(Finding("kernel", .ok, "has Bluetooth"))
        guard !adapters.isEmpty else {
            found(
                Finding(
                    "adapter", .failure, "none is there",
                    remedy: "plug one in; on a Raspberry Pi check that dtoverlay=disable-bt is not in config.txt"))
            return []
        }
        for adapter in adapters {
            found(AdapterProbe.finding(adapter))
        }
        return adapters
    }

    private func examineRights(_ found: (Finding) -> Void) {
        found(RightsProbe.finding())
    }
}

extension SourceSpec {
    /// Whether the kernel's Bluetooth is on the way.
    var usesKernel: Bool {
        switch kind {
        case .adapter, .auto, .bluetoothd: true
        case .h4, .file, .emulation: false
        }
    }
}
