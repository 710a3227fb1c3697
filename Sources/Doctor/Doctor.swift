package import Listening
import Radio

/// Checks everything that listening depends on, and says how to fix what is wrong.
package struct Doctor: Sendable {
    /// The source to listen to; nil for the first adapter.
    package var source: SourceSpec?
    /// The length of the listening test, in seconds.
    package var listening: Double = 10

    package init() {}

    /// Runs all checks in the order of their dependence, and reports each result at once.
    package func examine(_ tell: @Sendable (Finding) -> Void) async {
        let source = source ?? .auto
        var isHopeless = false
        func found(_ findings: [Finding]) {
            for finding in findings {
                isHopeless = isHopeless || finding.verdict == .failure
                tell(finding)
            }
        }
        if source.usesKernel {
            let (findings, adapter) = KernelProbe.examine(source)
            found(findings)
            found(RightsProbe.findings(source))
            if let adapter {
                if !isHopeless, !source.usesBluetoothd { found(await FeatureProbe.findings(adapter)) }
                found(NeighbourProbe.findings(adapter))
                found(await BluetoothdProbe.findings(adapter, isSource: source.usesBluetoothd))
            }
        }
        if isHopeless {
            found([Finding("listening", .failure, "not tried", remedy: "first mend what is said above")])
        } else {
            found(await ListeningProbe(source: source, seconds: listening).findings())
        }
        found([ClockProbe.finding()])
    }
}

extension SourceSpec {
    /// Whether the source uses the kernel's Bluetooth.
    var usesKernel: Bool {
        switch kind {
        case .adapter, .auto, .bluetoothd: true
        case .h4, .file, .emulation: false
        }
    }

    var usesBluetoothd: Bool {
        if case .bluetoothd = kind { true } else { false }
    }

    /// Whether it takes exclusive control of the adapter.
    var usesUserChannel: Bool {
        if case .adapter(_, .user) = kind { true } else { false }
    }
}
