import Beacon
import Captures
import HCI
import Radio

/// Records a capture's packets in another capture, with a unique adapter number for each receiver.
struct CaptureRecording {
    private let recorder: PacketRecorder
    /// The number for a capture that has only one receiver.
    private let place: UInt16
    private let format: CaptureFormat
    private var numbers: [CapturedReceiver: UInt16] = [:]

    init(of source: SourceID, _ format: CaptureFormat, in recorder: PacketRecorder) {
        self.recorder = recorder
        self.format = format
        place = source.rawValue
        if format.tellsReceivers { recorder.keepAdapters() }
    }

    mutating func add(
        _ type: PacketType, _ packet: RawSpan, fromController: Bool, of record: borrowing CapturedRecord
    ) {
        let number = number(of: CapturedReceiver(of: record))
        recorder.record(type, packet, fromController: fromController, at: record.time, adapter: number)
    }

    /// Adapters keep their numbers if these are free.
    private mutating func number(of receiver: CapturedReceiver) -> UInt16 {
        if let number = numbers[receiver] { return number }
        let wanted =
            switch format.container {
            case _ where !format.tellsReceivers: place
            case .pcapng where receiver.adapter == 0: receiver.interface
            default: receiver.adapter
            }
        let number = recorder.number(wanted: wanted)
        // A forged capture may name any number of receivers. There are not more numbers than this.
        if numbers.count <= Int(UInt16.max) { numbers[receiver] = number }
        return number
    }
}
