import HCI
import Radio
import Testing

/// Runs a procedure against answers by opcode. Returns what it sent and how it ended.
private func run(
    _ procedure: ControllerProcedure, features: UInt64? = 0,
    refusing status: (_ opcode: OpCode, _ isFirst: Bool) -> ErrorCode? = { _, _ in nil }
) -> (sent: [OpCode], end: ControllerProcedure.Action) {
    var procedure = procedure
    var sent: [OpCode] = []
    var action = procedure.start()
    while case .send(let command) = action {
        let isFirst = !sent.contains(command.opcode)
        sent.append(command.opcode)
        var answer = CommandAnswer(
            opcode: command.opcode, status: status(command.opcode, isFirst) ?? .success, returnParameters: [])
        if command.opcode == .leReadLocalSupportedFeatures, let features {
            answer.returnParameters = (0..<8).map { UInt8(truncatingIfNeeded: features >> UInt64(8 * $0)) }
        }
        action = procedure.answered(answer)
        guard sent.count < 100 else { break }
    }
    return (sent, action)
}

extension CommandAnswer {
    fileprivate init(opcode: OpCode, status: ErrorCode, returnParameters: [UInt8]) {
        let head = [
            0x0E, UInt8(4 + returnParameters.count), 1, UInt8(opcode.rawValue & 0xFF), UInt8(opcode.rawValue >> 8),
        ]
        let event = head + [status.rawValue] + returnParameters
        // A complete event as built here is always one.
        self = CommandAnswer(event: event.span.bytes) ?? .init(opcode: opcode, status: status, returnParameters: [])
    }
}

private let legacyScan: [OpCode] = [.leSetScanEnable, .leSetScanParameters, .leSetScanEnable]
private let extendedScan: [OpCode] = [
    .leSetExtendedScanEnable, .leSetExtendedScanParameters, .leSetExtendedScanEnable,
]
private let preparation: [OpCode] = [.reset, .setEventMask, .leSetEventMask]

@Suite("Bringing a controller into a state")
struct ProcedureTests {
    @Test("resets a controller of one's own, never a shared one")
    func reset() {
        let own = run(.scanning(ScanParameters(), sharing: .exclusive))
        #expect(own.sent == preparation + [.leReadLocalSupportedFeatures] + legacyScan)
        #expect(own.end == .done(.legacy))
        let shared = run(.scanning(ScanParameters(), sharing: .shared))
        #expect(shared.sent == [.leReadLocalSupportedFeatures] + legacyScan)
    }

    @Test("chooses the family by feature bit 12")
    func family() {
        let result = run(.scanning(ScanParameters(), sharing: .exclusive), features: 1 << 12)
        #expect(result.sent.suffix(3) == extendedScan[...])
        #expect(result.end == .done(.extended))
    }

    @Test("goes on with legacy commands where the features are not told")
    func noFeatures() {
        let result = run(.scanning(ScanParameters(), sharing: .exclusive), features: nil) { opcode, _ in
            opcode == .leReadLocalSupportedFeatures ? .unknownCommand : nil
        }
        #expect(result.end == .done(.legacy))
    }

    @Test("tries the other family once, after another reset, when the first is refused")
    func fallback() {
        let result = run(.scanning(ScanParameters(), sharing: .exclusive)) { opcode, _ in
            opcode == .leSetScanParameters ? .commandDisallowed : nil
        }
        #expect(result.sent.suffix(6) == (preparation + extendedScan)[...])
        #expect(result.end == .done(.extended))
    }

    @Test("tells the first refusal when both families are refused")
    func refused() {
        let result = run(.scanning(ScanParameters(), sharing: .exclusive)) { opcode, _ in
            switch opcode {
            case .leSetScanParameters: .commandDisallowed
            case .leSetExtendedScanParameters: .unknownCommand
            default: nil
            }
        }
        #expect(result.end == .refused(.leSetScanParameters, .commandDisallowed))
    }

    @Test("does not blame the family for invalid parameters")
    func invalid() {
        let result = run(.scanning(ScanParameters(), sharing: .shared)) { opcode, _ in
            opcode == .leSetScanParameters ? .invalidParameters : nil
        }
        #expect(result.end == .refused(.leSetScanParameters, .invalidParameters))
        #expect(!result.sent.contains(.leSetExtendedScanParameters))
    }

    @Test("switches off first, and does not mind when nothing was on")
    func offFirst() {
        let result = run(.scanning(ScanParameters(), sharing: .shared)) { opcode, isFirst in
            opcode == .leSetScanEnable && isFirst ? .commandDisallowed : nil
        }
        #expect(result.end == .done(.legacy))
    }

    @Test("advertises parameters and data before enabling, so that nothing stale is on the air")
    func advertising() {
        let result = run(.advertising(Broadcast(data: [1]), sharing: .shared)) { opcode, _ in
            // An LE-only controller has no page scan.
            opcode == .writeScanEnable ? .unknownCommand : nil
        }
        #expect(
            result.sent.suffix(5) == [
                .writeScanEnable, .leSetAdvertisingEnable, .leSetAdvertisingParameters, .leSetAdvertisingData,
                .leSetAdvertisingEnable,
            ])
        #expect(result.end == .done(.legacy))
    }
}
