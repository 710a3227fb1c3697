package import Listening
import Radio

/// Looks at everything that listening depends on, and says what to do about what is wrong.
package struct Doctor: Sendable {
    /// The source to listen with; nil for the first adapter.
    package var source: SourceSpec?
    /// Seconds of the listening test.
    package var listening: Double = 10

    package init() {}

    /// Makes all checks, in the order in which one depends on the other, and tells each as soon as it is known.
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
    /// Whether the kernel's Bluetooth is on the way.
    var usesKernel: Bool {
        switch kind {
        case .adapter, .auto, .bluetoothd: true
        case .h4, .file, .emulation: false
        }
    }

    var usesBluetoothd: Bool {
        if case .bluetoothd = kind { true } else { false }
    }

    /// Whether it takes the adapter for itself.
    var usesUserChannel: Bool {
        if case .adapter(_, .user) = kind { true } else { false }
    }
}
