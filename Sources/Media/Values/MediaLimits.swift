/// What the library takes at most.
package struct MediaLimits: Hashable, Sendable {
    /// Bytes of one picture.
    package var pictureBytes: Int64 = 40 << 20
    /// Bytes of one video or sound.
    package var recordingBytes: Int64 = 500 << 20
    /// Bytes of one file of captions.
    package var captionsBytes: Int64 = 1 << 20
    /// Bytes of all files of the library together.
    package var totalBytes: Int64 = 50 << 30
    /// Pixels of one picture, from its header. An animation may have four times as many in all its frames together.
    package var pixels: Int64 = 50_000_000
    /// Uploads at the same time.
    package var uploads = 16
    /// Pictures that are decoded at the same time. Each may use `helperMemory` bytes.
    package var parallelJobs = 2
    /// Pictures that wait to be decoded.
    package var waitingJobs = 64
    /// Seconds for one picture.
    package var jobSeconds = 30.0
    /// Bytes of address space of one helper.
    package var helperMemory: Int64 = 1536 << 20

    package init() {}

    /// The most bytes of any one file.
    package var largestUpload: Int64 { max(pictureBytes, recordingBytes, captionsBytes) }
}
