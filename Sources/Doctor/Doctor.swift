package import Listening
import Radio

/// Checks everything that listening depends on, and says how to fix what is wrong.
package struct Doctor: Sendable {
    /// The source to listen to; nil for the first adapter.
    package var source: SourceSpec?
    /// The length of the listening test, in seconds.
    package var listening: Double = 10

    private let probes: Probes

    package init(probes: Probes = .real) {
        self.probes = probes
    }

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
            let (findings, adapter) = probes.kernel(source)
            found(findings)
            found(probes.rights(source))
            if let adapter {
                if !isHopeless, !source.usesBluetoothd { found(await probes.features(adapter)) }
                found(probes.neighbours(adapter))
                found(await probes.bluetoothd(adapter, source.usesBluetoothd))
            }
        }
        if isHopeless {
            found([Finding("listening", .failure, "not tried", remedy: "first mend what is said above")])
        } else {
            found(await probes.listening(source, listening))
        }
        found([probes.clock()])
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
