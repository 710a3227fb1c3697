package import Listening
import Radio

/// Checks everything that listening depends on, and says how to fix problems.
package struct Doctor: Sendable {
    /// The source to listen to; nil for the first adapter.
    package var source: SourceSpec?
    /// The length of the listening test, in seconds.
    package var listening: Double = 10

    private let probes: Probes

    package init(probes: Probes = .real) {
        self.probes = probes
    }

    /// The checks, by their names in messages, in the order of dependence.
    package enum Check: String, CaseIterable, Hashable, Sendable {
        case kernel, rights, controller, neighbours, bluetoothd, listening, clock

        /// What it has results of, as users read them. Listening also tells of the source, once it is over.
        package var names: [String] { self == .listening ? ["source", rawValue] : [rawValue] }
    }

    /// The checks of `examine`, in their order.
    package var checks: [Check] {
        (source ?? .auto).usesKernel ? Check.allCases : [.listening, .clock]
    }

    /// Makes all checks, and reports the results of each at once: none if the check does not apply. If the task is
    /// cancelled, neither the running check nor those after it report anything.
    package func examine(_ tell: @Sendable (Check, [Finding]) -> Void) async {
        let source = source ?? .auto
        var adapter: LinuxAdapter?
        var isHopeless = false
        for check in checks {
            var findings: [Finding] = []
            switch check {
            case .kernel: (findings, adapter) = probes.kernel(source)
            case .rights: findings = probes.rights(source)
            case .controller:
                if let adapter, !isHopeless, !source.usesBluetoothd { findings = await probes.features(adapter) }
            case .neighbours:
                if let adapter { findings = probes.neighbours(adapter) }
            case .bluetoothd:
                if let adapter { findings = await probes.bluetoothd(adapter, source.usesBluetoothd) }
            case .listening where isHopeless:
                findings = [Finding("listening", .failure, "not tried", remedy: "first mend what is said above")]
            case .listening: findings = await probes.listening(source, listening)
            case .clock: findings = [probes.clock()]
            }
            // A check that was cut short may give an incomplete or wrong result.
            guard !Task.isCancelled else { return }
            isHopeless = isHopeless || findings.contains { $0.verdict == .failure }
            tell(check, findings)
        }
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

    /// Whether the source takes exclusive control of the adapter.
    var usesUserChannel: Bool {
        if case .adapter(_, .user) = kind { true } else { false }
    }
}
