package import HCI
package import Radio

/// How to listen to live sources.
package struct ListeningOptions: Sendable, Equatable {
    package var scan = ScanParameters()
    package var silence = SilenceWatch.Settings()
    /// Also records every packet.
    package var recorder: PacketRecorder?
    /// The adapter's number in a recording of several.
    package var recordedAs: UInt16 = 0
    /// How many times the emulated visitor walks before a `sim` source ends; nil for no end.
    package var walks: Int?
    /// The `listedBy` of an earlier source with the same specification.
    package var listedBy: String?

    package init() {}

    package static func == (left: ListeningOptions, right: ListeningOptions) -> Bool {
        left.scan == right.scan && left.silence == right.silence && left.recorder === right.recorder
            && left.recordedAs == right.recordedAs && left.walks == right.walks && left.listedBy == right.listedBy
    }
}
