package import HCI
package import Radio

/// How live sources are listened to.
package struct ListeningOptions: Sendable, Equatable {
    package var scan = ScanParameters()
    package var silence = SilenceWatch.Settings()
    /// Where every packet is recorded as well.
    package var recorder: PacketRecorder?
    /// The adapter's number in a recording of several.
    package var recordedAs: UInt16 = 0
    /// How often the emulated visitor walks before a `sim` source ends; nil is for ever.
    package var walks: Int?

    package init() {}

    package static func == (left: ListeningOptions, right: ListeningOptions) -> Bool {
        left.scan == right.scan && left.silence == right.silence && left.recorder === right.recorder
            && left.recordedAs == right.recordedAs && left.walks == right.walks
    }
}
