import HCI
import Radio

/// The controller: whether it answers, and which family of commands it needs.
enum FeatureProbe {
    static func findings(_ adapter: LinuxAdapter) async -> [Finding] {
        let name = "controller"
        let host = Host(transport: LinuxHCITransport(.index(adapter.index), channel: .raw), name: adapter.name) {
            _, _ in
        }
        do throws(RadioError) {
            try await host.open()
            let answer = try await host.execute(.leReadLocalSupportedFeatures)
            await host.close()
            guard answer.status == .success, answer.returnParameters.count >= 8 else {
                return [
                    Finding(
                        name, .failure, "\(adapter.name) answers \(answer.status) to \(answer.opcode)",
                        remedy: "it has no Bluetooth Low Energy: use another adapter")
                ]
            }
            let features = answer.returnParameters.prefix(8).reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
            // Core Specification Vol 6, Part B, 4.6: bit 12 is LE Extended Advertising.
            let family =
                features >> 12 & 1 == 1 ? "extended (feature bit 12 is set)" : "legacy (feature bit 12 is clear)"
            return [
                Finding(name, .ok, "LE features 0x\(String(features, radix: 16, uppercase: true)), commands: \(family)")
            ]
        } catch {
            await host.close()
            return [Finding(name, .failure, error.problem, remedy: error.remedy)]
        }
    }
}
